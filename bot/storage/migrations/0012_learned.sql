-- Players who finished the lesson of a game, which is then no longer offered. `at` is a Unix time.

CREATE TABLE learned (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player_id, game)
) STRICT, WITHOUT ROWID;
