-- name: deal_of_day^
SELECT deal, par FROM days WHERE game = :game AND day = :day;

-- name: choose_day!
INSERT INTO days (game, day, deal, par) VALUES (:game, :day, :deal, :par)
ON CONFLICT (game, day) DO NOTHING;

-- name: day_of_deal^
SELECT day, par FROM days WHERE game = :game AND deal = :deal ORDER BY day DESC LIMIT 1;

-- name: days_before
SELECT day, deal, par FROM days WHERE game = :game AND day < :day ORDER BY day DESC LIMIT :limit;

-- name: put_first_note!
INSERT INTO notes (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING;
