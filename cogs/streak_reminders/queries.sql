-- name: has_reminder$
SELECT count(*) FROM streak_reminders WHERE player_id = :player_id;

-- name: start_reminders!
INSERT INTO streak_reminders (player_id, day) VALUES (:player_id, 0) ON CONFLICT (player_id) DO NOTHING;

-- name: stop_reminders!
DELETE FROM streak_reminders WHERE player_id = :player_id;

-- name: players_to_remind
-- Players who were not considered on a day yet, after an ID.
SELECT player_id FROM streak_reminders WHERE day < :day AND player_id > :after ORDER BY player_id LIMIT :limit;

-- name: claim_reminder!
UPDATE streak_reminders SET day = :day WHERE player_id = :player_id AND day < :day;

-- name: own_data_streak_reminders
SELECT day FROM streak_reminders WHERE player_id = :player_id;

-- name: forget_player_streak_reminders!
DELETE FROM streak_reminders WHERE player_id = :player_id;
