-- On which servers' boards of the day a player is shown who plays elsewhere.
CREATE TABLE day_boards (
    player_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    PRIMARY KEY (player_id, guild_id)
) STRICT, WITHOUT ROWID;
