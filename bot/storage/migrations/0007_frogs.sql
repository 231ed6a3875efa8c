-- Seats that the bot plays. A frog has a negative player_id; with a strength, the seat of somebody
-- else is one where a frog stands in.
ALTER TABLE seats ADD COLUMN strength TEXT CHECK (strength IN ('tadpole', 'froglet', 'toad'));

-- How many hints a player asked for, and for which move the latest.
ALTER TABLE seats ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN hinted_n INTEGER NOT NULL DEFAULT -1;

-- Matches with a frog at the table count apart, by the strongest frog there was: so the totals, and
-- all that is added up from them, stay those of people against people. A guild_id of 0 is everywhere.
CREATE TABLE frog_totals (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    strength TEXT NOT NULL CHECK (strength IN ('tadpole', 'froglet', 'toad')),
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (player_id, guild_id, game, strength)
) STRICT, WITHOUT ROWID;
