-- What the end of a match says of a seat, as it was at that moment: a place, badges, days in a row.
CREATE TABLE end_facts (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, key)
) STRICT, WITHOUT ROWID;
