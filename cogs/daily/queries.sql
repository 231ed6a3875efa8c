-- name: own_data_day_boards
SELECT guild_id FROM day_boards WHERE player_id = :player_id ORDER BY guild_id;

-- name: own_data_day_wins
SELECT game, day, match_id, guild_id, name, moves, undos, seconds, ended_at, late, helped FROM day_wins
WHERE player_id = :player_id ORDER BY day, game, guild_id;

-- name: forget_player_day_boards!
DELETE FROM day_boards WHERE player_id = :player_id;

-- name: forget_player_day_wins!
UPDATE day_wins SET player_id = :other, name = '' WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: forget_server_day_boards!
DELETE FROM day_boards WHERE guild_id = :guild_id AND :is_gone = 1;

-- name: forget_server_day_wins!
-- They stay with their players, but where another board has them.
UPDATE day_wins SET guild_id = 0,
    name = coalesce((SELECT p.name FROM players AS p WHERE p.player_id = day_wins.player_id), name)
WHERE guild_id = :guild_id AND NOT EXISTS (
    SELECT 1 FROM day_wins AS o
    WHERE o.player_id = day_wins.player_id AND o.game = day_wins.game AND o.day = day_wins.day
        AND o.match_id = day_wins.match_id AND o.guild_id <> day_wins.guild_id
);

-- name: forget_server_day_wins_elsewhere!
DELETE FROM day_wins WHERE guild_id = :guild_id;
