-- For how many seconds of a day the processes with some shards, all without a word, could not be played.
CREATE TABLE outages (
    day INTEGER NOT NULL,
    shards TEXT NOT NULL,
    seconds INTEGER NOT NULL,
    PRIMARY KEY (day, shards)
) STRICT, WITHOUT ROWID;
