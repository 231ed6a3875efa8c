-- The number of a player's wins over another on a day that count on global leaderboards. A loser_id of 0
-- is the number of all such wins. Days are counted from 1970-01-01.
CREATE TABLE wins_over (
    winner_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    loser_id INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (winner_id, day, loser_id)
) STRICT, WITHOUT ROWID;

DROP TABLE meetings;
