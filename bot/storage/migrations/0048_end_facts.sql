-- Facts about a seat that are shown at the end of a match, such as its rank, badges or streak at that
-- time.
CREATE TABLE end_facts (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, key)
) STRICT, WITHOUT ROWID;
