-- Computer players. A computer player has a negative player_id. A person's seat with a strength is
-- played by a substitute computer player.
ALTER TABLE seats ADD COLUMN strength TEXT CHECK (strength IN ('tadpole', 'froglet', 'toad'));

-- The number of hints that a player asked for, and the number of the move of the latest one.
ALTER TABLE seats ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN hinted_n INTEGER NOT NULL DEFAULT -1;

-- Totals of matches with computer players, by the strongest one at the table. They are separate, so that
-- the other totals are of people against people only. A guild_id of 0 is the total of all servers and
-- DMs.
CREATE TABLE frog_totals (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    strength TEXT NOT NULL CHECK (strength IN ('tadpole', 'froglet', 'toad')),
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (player_id, guild_id, game, strength)
) STRICT, WITHOUT ROWID;
