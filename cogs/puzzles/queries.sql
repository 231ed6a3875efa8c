-- name: answer_puzzle!
INSERT INTO puzzle_answers (player_id, game, day, is_right) VALUES (:player_id, :game, :day, :is_right)
ON CONFLICT (player_id, game, day) DO NOTHING;

-- name: days_right
SELECT day FROM puzzle_answers WHERE player_id = :player_id AND game = :game AND is_right = 1;

-- name: own_data_puzzle_answers
SELECT game, day, is_right FROM puzzle_answers WHERE player_id = :player_id ORDER BY game, day;

-- name: forget_player_puzzle_answers!
DELETE FROM puzzle_answers WHERE player_id = :player_id;
