-- Why a finished match is on no board, or only on its server's own; without a word it is on all.
ALTER TABLE matches ADD COLUMN uncounted TEXT;

-- Whether a seat has made a move, at a match in which play has decided something.
ALTER TABLE results ADD COLUMN played INTEGER NOT NULL DEFAULT 1;

-- How many matches of the same people, by their ids, count everywhere that ended on a day since 1970.
CREATE TABLE meetings (
    people TEXT NOT NULL,
    day INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (people, day)
) STRICT, WITHOUT ROWID;
