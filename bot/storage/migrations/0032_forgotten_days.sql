-- What is still counted of who was forgotten, by days since 1970: how often, by a keyed hash of the person and
-- the thing. A row of no amount is a day's key. Both go when the day is over.
CREATE TABLE forgotten_days (
    day INTEGER NOT NULL,
    mark TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (day, mark)
) STRICT, WITHOUT ROWID;
