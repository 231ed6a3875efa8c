-- Players who are notified when a table of a game opens in a server, with the Unix time and the match of
-- the latest notification. Players with the lowest asked_at are considered first.
CREATE TABLE lobby_alerts (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,
    told_at INTEGER NOT NULL,
    told_of TEXT NOT NULL,
    PRIMARY KEY (guild_id, game, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX lobby_alerts_of ON lobby_alerts (player_id, told_at);

-- The role that is mentioned in a server if too many players are to be notified.
CREATE TABLE alert_roles (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    role_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
