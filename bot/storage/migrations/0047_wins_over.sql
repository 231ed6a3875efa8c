-- How many wins of a player over another count everywhere that ended on a day since 1970; over 0: all of them.
CREATE TABLE wins_over (
    winner_id INTEGER NOT NULL,
    day INTEGER NOT NULL,
    loser_id INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (winner_id, day, loser_id)
) STRICT, WITHOUT ROWID;

DROP TABLE meetings;
