-- The seconds of each day in which some shards were down. An empty text means all shards.
CREATE TABLE outages (
    day INTEGER NOT NULL,
    shards TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    PRIMARY KEY (day, shards)
) STRICT, WITHOUT ROWID;
