-- Removals from the leaderboards of a server, or of all servers (0), with their time and user, and those
-- of the end of the removal. The subject is a match ID, or a player ID for all results or the name of
-- the player.
CREATE TABLE removals (
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('match', 'player', 'name')),
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    by_id INTEGER NOT NULL,
    back_at INTEGER,
    back_by INTEGER,
    PRIMARY KEY (guild_id, kind, subject, at)
) STRICT, WITHOUT ROWID;

-- For counting a player's matches in a server again after a removal or its end.
CREATE INDEX results_of_a_player ON results (player_id, guild_id);
