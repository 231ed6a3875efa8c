-- The reason for which a finished match is on no leaderboard or only on its server's. NULL means on all.
ALTER TABLE matches ADD COLUMN uncounted TEXT;

-- Whether a seat has moved, in a match in which play has decided something.
ALTER TABLE results ADD COLUMN played INTEGER NOT NULL DEFAULT 1;

-- The number of a day's matches between the same people, by their IDs, that count on global
-- leaderboards. Days are counted from 1970-01-01.
CREATE TABLE meetings (
    people TEXT NOT NULL,
    day INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (people, day)
) STRICT, WITHOUT ROWID;
