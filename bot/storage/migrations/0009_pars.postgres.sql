-- How many deals a player has won with how many moves more than par (fewer: below 0). Where a guild_id
-- is 0, all servers and DMs together. No database of a server is older, so there is nothing to fold in.
CREATE TABLE par_totals (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    difference BIGINT NOT NULL,
    deals BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, player_id, difference)
);
