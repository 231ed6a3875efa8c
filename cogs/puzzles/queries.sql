-- name: own_data_puzzle_answers
SELECT game, day, is_right FROM puzzle_answers WHERE player_id = :player_id ORDER BY game, day;

-- name: forget_player_puzzle_answers!
DELETE FROM puzzle_answers WHERE player_id = :player_id;
