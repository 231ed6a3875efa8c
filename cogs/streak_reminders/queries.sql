-- name: reminder_server$
-- The server whose daily post can mention a player, 0 for none, or null if the player is not reminded.
SELECT guild_id FROM streak_reminders WHERE player_id = :player_id;

-- name: start_reminders!
INSERT INTO streak_reminders (player_id, day, guild_id) VALUES (:player_id, 0, :guild_id)
ON CONFLICT (player_id) DO UPDATE SET guild_id = excluded.guild_id;

-- name: stop_reminders!
DELETE FROM streak_reminders WHERE player_id = :player_id;

-- name: players_to_remind
-- Players who were not considered on a day yet, after an ID.
SELECT player_id, guild_id FROM streak_reminders
WHERE day < :day AND player_id > :after ORDER BY player_id LIMIT :limit;

-- name: claim_reminder!
UPDATE streak_reminders SET day = :day WHERE player_id = :player_id AND day < :day;

-- name: own_data_streak_reminders
SELECT day, guild_id FROM streak_reminders WHERE player_id = :player_id;

-- name: forget_player_streak_reminders!
DELETE FROM streak_reminders WHERE player_id = :player_id;

-- name: forget_server_streak_reminders!
UPDATE streak_reminders SET guild_id = 0 WHERE guild_id = :guild_id AND :is_gone = 1;
