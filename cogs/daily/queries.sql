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

-- name: day_count$
SELECT count(*) FROM day_wins WHERE guild_id = :guild_id AND game = :game AND day = :day;

-- name: days_won
SELECT day, min(ended_at) AS ended_at FROM day_wins WHERE player_id = :player_id AND game = :game
GROUP BY day ORDER BY day DESC;

-- name: days_before
SELECT day, deal, par FROM days WHERE game = :game AND day < :day ORDER BY day DESC LIMIT :limit;
