-- name: played_in
-- A player's latest finished matches in a server.
SELECT r.match_id, r.game, r.won, m.ended_at FROM results AS r INNER JOIN matches AS m ON m.id = r.match_id
WHERE r.player_id = :player_id AND r.guild_id = :guild_id
ORDER BY coalesce(m.ended_at, 0) DESC, m.id LIMIT :limit;

-- name: played_by
-- A player's latest finished matches anywhere.
SELECT r.match_id, r.game, r.won, m.ended_at FROM results AS r INNER JOIN matches AS m ON m.id = r.match_id
WHERE r.player_id = :player_id ORDER BY coalesce(m.ended_at, 0) DESC, m.id LIMIT :limit;
