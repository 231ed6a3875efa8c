-- name: alert_games
SELECT game FROM lobby_alerts WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: start_alerts!
INSERT INTO lobby_alerts (guild_id, game, player_id, asked_at, told_at, told_of)
VALUES (:guild_id, :game, :player_id, 0, 0, '') ON CONFLICT (guild_id, game, player_id) DO NOTHING;

-- name: stop_alerts!
DELETE FROM lobby_alerts WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id;

-- name: alerts_since$
-- The number of players notified of other lobbies of a game in a server.
SELECT count(*) FROM lobby_alerts
WHERE guild_id = :guild_id AND game = :game AND told_at > :since AND told_of <> :match_id;

-- name: alert_candidates
-- Players to notify of a lobby, longest not considered first. Players at a table and players notified of
-- another lobby since a time are left out.
SELECT a.player_id FROM lobby_alerts AS a
WHERE a.guild_id = :guild_id AND a.game = :game AND NOT EXISTS (
    SELECT 1 FROM lobby_alerts AS o
    WHERE o.player_id = a.player_id AND o.told_at > :since AND o.told_of <> :match_id
) AND NOT EXISTS (
    SELECT 1 FROM seats AS s INNER JOIN matches AS m ON m.id = s.match_id
    WHERE s.player_id = a.player_id AND m.stage IN ('lobby', 'playing') AND m.seat_limit > 1
)
ORDER BY a.asked_at, a.player_id LIMIT :limit;

-- name: record_asked!
UPDATE lobby_alerts SET asked_at = :now
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id;

-- name: record_alert!
-- With a player_id of 0, all players were notified.
UPDATE lobby_alerts SET told_at = :now, told_of = :match_id
WHERE guild_id = :guild_id AND game = :game AND (CAST(:player_id AS bigint) = 0 OR player_id = :player_id);

-- name: alert_role$
SELECT role_id FROM alert_roles WHERE guild_id = :guild_id;

-- name: put_alert_role!
INSERT INTO alert_roles (guild_id, role_id) VALUES (:guild_id, :role_id)
ON CONFLICT (guild_id) DO UPDATE SET role_id = excluded.role_id;

-- name: own_data_lobby_alerts
SELECT guild_id, game, asked_at, told_at, told_of FROM lobby_alerts WHERE player_id = :player_id ORDER BY guild_id, game;

-- name: forget_player_lobby_alerts!
DELETE FROM lobby_alerts WHERE player_id = :player_id;

-- name: forget_server_lobby_alerts!
DELETE FROM lobby_alerts WHERE guild_id = :guild_id;

-- name: forget_server_alert_role!
DELETE FROM alert_roles WHERE guild_id = :guild_id AND :is_gone = 1;
