-- name: own_data_lessons
SELECT game, at FROM learned WHERE player_id = :player_id ORDER BY game;

-- name: forget_player_lessons!
DELETE FROM learned WHERE player_id = :player_id;
