-- Who has learned a game in a lesson: it is not offered to them any more. Times are seconds since 1970.

CREATE TABLE learned (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player_id, game)
) STRICT, WITHOUT ROWID;
