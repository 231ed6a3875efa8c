-- name: day_page
-- Some of a day's winners in a server, best first: those on the day, then without help, by moves and time.
SELECT page.player_id, page.name, page.moves, page.undos, page.seconds, page.late, page.helped, p.user_name, CASE
    WHEN rank() OVER best > 1 THEN :offset + rank() OVER best
    ELSE 1 + (
        SELECT count(*) FROM day_wins AS o
        WHERE o.guild_id = :guild_id AND o.game = :game AND o.day = :day
            AND (o.late, o.helped, o.moves, o.seconds) < (page.late, page.helped, page.moves, page.seconds)
    )
END AS rank
FROM (
    SELECT player_id, name, moves, undos, seconds, late, helped, ended_at FROM day_wins
    WHERE guild_id = :guild_id AND game = :game AND day = :day
    ORDER BY late, helped, moves, seconds, ended_at, player_id LIMIT :limit OFFSET :offset
) AS page
LEFT JOIN players AS p ON p.player_id = page.player_id
WINDOW best AS (ORDER BY page.late, page.helped, page.moves, page.seconds)
ORDER BY page.late, page.helped, page.moves, page.seconds, page.ended_at, page.player_id;

-- name: day_win_of^
SELECT d.player_id, d.name, d.moves, d.undos, d.seconds, d.late, d.helped, p.user_name, 1 + (
    SELECT count(*) FROM day_wins AS o
    WHERE o.guild_id = :guild_id AND o.game = :game AND o.day = :day
        AND (o.late, o.helped, o.moves, o.seconds) < (d.late, d.helped, d.moves, d.seconds)
) AS rank
FROM day_wins AS d LEFT JOIN players AS p ON p.player_id = d.player_id
WHERE d.player_id = :player_id AND d.game = :game AND d.day = :day AND d.guild_id = :guild_id;

-- name: day_position$
-- The number of winners before a winner.
SELECT count(*) FROM day_wins AS d INNER JOIN day_wins AS o
ON o.guild_id = d.guild_id AND o.game = d.game AND o.day = d.day
    AND (o.late, o.helped, o.moves, o.seconds, o.ended_at, o.player_id)
    < (d.late, d.helped, d.moves, d.seconds, d.ended_at, d.player_id)
WHERE d.player_id = :player_id AND d.game = :game AND d.day = :day AND d.guild_id = :guild_id;

-- name: day_count$
SELECT count(*) FROM day_wins WHERE guild_id = :guild_id AND game = :game AND day = :day;

-- name: days_won
SELECT day, min(ended_at) AS ended_at FROM day_wins
WHERE player_id = :player_id AND game = :game AND helped < :beyond
GROUP BY day ORDER BY day DESC;

-- name: day_try_count$
SELECT count(*) FROM matches
WHERE followed = 0 AND place > :first AND place < :beyond
    AND CASE WHEN stage IN ('lobby', 'playing') THEN 0 ELSE 1 END = :is_over;

-- name: day_tries
-- The first private tries of a day's deal in a server that are over, or that are in progress.
SELECT begun.host_id, s.name, p.user_name FROM (
    SELECT id, host_id, opened_at FROM matches
    WHERE followed = 0 AND place > :first AND place < :beyond
        AND CASE WHEN stage IN ('lobby', 'playing') THEN 0 ELSE 1 END = :is_over
    ORDER BY opened_at, id LIMIT :limit
) AS begun
INNER JOIN seats AS s ON s.match_id = begun.id LEFT JOIN players AS p ON p.player_id = begun.host_id
ORDER BY begun.opened_at, begun.id;

-- name: day_players$
-- The number of people who have begun a day's deal in a server, or whose win elsewhere it shows.
SELECT count(*) FROM (
    SELECT host_id FROM matches WHERE followed = 0 AND place > :first AND place < :beyond
    UNION SELECT player_id FROM day_wins WHERE guild_id = :guild_id AND game = :game AND day = :day
) AS known;

-- name: late_winners
-- The players with most recent wins on a server's boards of days who have won one of the latest deals.
SELECT d.player_id, max(d.name) AS name, max(p.user_name) AS user_name
FROM day_wins AS d LEFT JOIN players AS p ON p.player_id = d.player_id
WHERE d.guild_id = :guild_id AND d.game = :game AND d.day >= :since AND d.helped < :beyond
GROUP BY d.player_id HAVING max(d.day) >= :latest
ORDER BY count(*) DESC, d.player_id LIMIT :limit;

-- name: days_before
SELECT day, deal, par FROM days WHERE game = :game AND day < :day ORDER BY day DESC LIMIT :limit;

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
