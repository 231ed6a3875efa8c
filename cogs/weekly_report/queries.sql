-- name: week_seats
-- The seats of matches with several seats that ended in a server in some time and that its board counts.
SELECT m.id, m.game, m.ended_at, m.uncounted, s.seat, s.player_id, s.name, p.user_name, s.strength
FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id
LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.guild_id = :guild_id AND m.stage IN ('finished', 'stopped') AND m.stage = 'finished'
    AND m.ended_at >= :since AND m.ended_at < :until AND m.seat_limit > 1 AND NOT EXISTS (
        SELECT 1 FROM removals AS o
        WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'match' AND o.subject = m.id AND o.back_at IS NULL
    )
ORDER BY m.ended_at, m.id, s.seat;

-- name: week_days
-- The deals of the day that players have won on their days, without much help.
SELECT d.player_id, max(d.name) AS name, max(p.user_name) AS user_name, count(*) AS days
FROM day_wins AS d LEFT JOIN players AS p ON p.player_id = d.player_id
WHERE d.guild_id = :guild_id AND d.day BETWEEN :first AND :last AND d.late = 0 AND d.helped < :beyond
GROUP BY d.player_id ORDER BY d.player_id;

-- name: week_puzzles
SELECT n.player_id, n.name, p.user_name, count(*) AS days FROM names AS n
INNER JOIN puzzle_answers AS a ON a.player_id = n.player_id AND a.day BETWEEN :first AND :last AND a.is_right = 1
LEFT JOIN players AS p ON p.player_id = n.player_id
WHERE n.guild_id = :guild_id AND n.name <> ''
GROUP BY n.player_id, n.name, p.user_name ORDER BY n.player_id;

-- name: week_duels
-- The days on which players have won at least half of the boards of the duels.
SELECT d.player_id, max(d.name) AS name, max(p.user_name) AS user_name, count(*) AS days
FROM duel_tries AS d LEFT JOIN players AS p ON p.player_id = d.player_id
WHERE d.guild_id = :guild_id AND d.day BETWEEN :first AND :last AND d.ended_at > 0
    AND 2 * length(replace(replace(d.scores, '1', ''), '0', '')) >= length(d.scores)
GROUP BY d.player_id ORDER BY d.player_id;

-- name: players_off
-- The players whose results a server's boards leave out.
SELECT subject FROM removals
WHERE guild_id IN (0, :guild_id) AND kind = 'player' AND back_at IS NULL;

-- name: champion^
SELECT * FROM champion_roles WHERE guild_id = :guild_id;

-- name: drop_champion!
DELETE FROM champion_roles WHERE guild_id = :guild_id;

-- name: add_champion!
INSERT INTO champion_roles (guild_id, role_id, admin_id, player_id, is_given, error)
VALUES (:guild_id, :role_id, :admin_id, :player_id, :is_given, :error);

-- name: set_champion!
-- If another role was named meanwhile, this changes nothing.
UPDATE champion_roles SET player_id = :player_id, is_given = :is_given, error = :error
WHERE guild_id = :guild_id AND role_id = :role_id;

-- name: own_data_champions
SELECT guild_id, role_id, is_given FROM champion_roles WHERE player_id = :player_id ORDER BY guild_id;

-- name: own_data_champion_roles
SELECT guild_id, role_id FROM champion_roles WHERE admin_id = :player_id ORDER BY guild_id;

-- name: forget_player_champions!
UPDATE champion_roles SET player_id = 0, is_given = 0 WHERE player_id = :player_id;

-- name: forget_player_champion_roles!
UPDATE champion_roles SET admin_id = 0 WHERE admin_id = :player_id;

-- name: forget_server_champions!
DELETE FROM champion_roles WHERE guild_id = :guild_id AND :is_gone = 1;
