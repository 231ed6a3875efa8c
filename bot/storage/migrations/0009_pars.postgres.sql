-- The number of deals that a player has won, by the difference from par in moves (negative for fewer). A
-- guild_id of 0 is the total of all servers and DMs. No PostgreSQL database is older, so nothing is
-- converted.
CREATE TABLE par_totals (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    difference BIGINT NOT NULL,
    deals BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, player_id, difference)
);
