-- A player's first answer to the puzzle of a day.
CREATE TABLE puzzle_answers (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    is_right INTEGER NOT NULL,
    PRIMARY KEY (player_id, game, day)
) STRICT, WITHOUT ROWID;
