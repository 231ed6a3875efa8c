-- The servers whose daily leaderboards show a player's wins in other places.
CREATE TABLE day_boards (
    player_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    PRIMARY KEY (player_id, guild_id)
) STRICT, WITHOUT ROWID;
