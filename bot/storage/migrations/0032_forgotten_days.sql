-- Counts that outlive a forgotten person, by days counted from 1970-01-01. The mark is a keyed hash of
-- the person and the counted thing. The row of a day with an amount of 0 holds the key. Rows are deleted
-- after their day.
CREATE TABLE forgotten_days (
    day INTEGER NOT NULL,
    mark TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (day, mark)
) STRICT, WITHOUT ROWID;
