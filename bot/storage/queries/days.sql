-- name: deal_of_day^
SELECT deal, par, committed FROM days WHERE game = :game AND day = :day;

-- name: choose_day!
INSERT INTO days (game, day, deal, par, committed) VALUES (:game, :day, :deal, :par, :committed)
ON CONFLICT (game, day) DO NOTHING;

-- name: day_of_deal^
SELECT day, par FROM days WHERE game = :game AND deal = :deal ORDER BY day DESC LIMIT 1;

-- name: put_first_note!
INSERT INTO notes (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING;

-- name: boards_of_player
SELECT guild_id FROM day_boards WHERE player_id = :player_id ORDER BY guild_id;

-- name: show_on_board!
INSERT INTO day_boards (player_id, guild_id) VALUES (:player_id, :guild_id)
ON CONFLICT (player_id, guild_id) DO NOTHING;

-- name: leave_board!
DELETE FROM day_boards WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: add_outage!
INSERT INTO outages (day, shards, seconds) VALUES (:day, :shards, :seconds)
ON CONFLICT (day, shards) DO UPDATE SET seconds = outages.seconds + excluded.seconds;

-- name: off_days
SELECT day FROM outages WHERE seconds > :most GROUP BY day ORDER BY day;
