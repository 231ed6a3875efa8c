-- Without a guild_id, the matches of all servers and of DMs count together.

-- name: board
-- The rank (most wins, then fewest matches) of a game's players, or of one of them: a row a figure.
WITH counted AS (
    SELECT match_id, seat, player_id, won FROM results WHERE guild_id = :guild_id AND game = :game
    UNION ALL
    SELECT match_id, seat, player_id, won FROM results WHERE :guild_id IS NULL AND game = :game
),
totals AS (
    SELECT player_id, count(*) AS matches, sum(won) AS wins FROM counted GROUP BY player_id
),
ranked AS (
    SELECT rank() OVER (ORDER BY wins DESC, matches) AS rank, player_id, matches, wins FROM totals
),
page AS (
    SELECT * FROM ranked WHERE :player_id IS NULL OR player_id = :player_id
    ORDER BY rank, player_id LIMIT :limit OFFSET :offset
)
SELECT p.rank, p.player_id, p.matches, p.wins, f.key, sum(f.value) AS value, (
    SELECT s.name FROM results AS r
    INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
    INNER JOIN matches AS m ON m.id = r.match_id
    WHERE r.player_id = p.player_id AND (:guild_id IS NULL OR r.guild_id = :guild_id)
    ORDER BY m.ended_at DESC, m.rowid DESC LIMIT 1
) AS name
FROM page AS p
INNER JOIN counted AS c ON c.player_id = p.player_id
LEFT JOIN figures AS f ON f.match_id = c.match_id AND f.seat = c.seat
GROUP BY p.rank, p.player_id, p.matches, p.wins, f.key
ORDER BY p.rank, p.player_id, f.key;

-- name: players_of$
SELECT count(DISTINCT player_id) FROM results WHERE guild_id = :guild_id AND game = :game;

-- name: games_of
SELECT DISTINCT game FROM results
WHERE player_id = :player_id AND (:guild_id IS NULL OR guild_id = :guild_id) ORDER BY game;

-- name: day_board
-- A day's winners in a server, or one of them: fewest moves first, then the shortest time.
WITH won AS (
    SELECT r.player_id, s.name, m.rowid AS match_row, m.ended_at - m.opened_at AS seconds,
        (SELECT value FROM figures AS f WHERE f.match_id = r.match_id AND f.key = 'moves') AS moves,
        (SELECT value FROM figures AS f WHERE f.match_id = r.match_id AND f.key = 'undos') AS undos
    FROM results AS r
    INNER JOIN matches AS m ON m.id = r.match_id
    INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
    WHERE r.guild_id = :guild_id AND r.game = :game AND r.won
        AND json_extract(m.options, '$.daily') = :day
),
ranked AS (SELECT rank() OVER (ORDER BY moves, seconds) AS rank, * FROM won)
SELECT rank, player_id, name, moves, undos, seconds FROM ranked
WHERE :player_id IS NULL OR player_id = :player_id
ORDER BY rank, match_row LIMIT :limit OFFSET :offset;

-- name: day_count$
SELECT count(*) FROM results AS r INNER JOIN matches AS m ON m.id = r.match_id
WHERE r.guild_id = :guild_id AND r.game = :game AND r.won
    AND json_extract(m.options, '$.daily') = :day;

-- name: days_won
SELECT DISTINCT json_extract(m.options, '$.daily') AS day
FROM results AS r INNER JOIN matches AS m ON m.id = r.match_id
WHERE r.player_id = :player_id AND r.game = :game AND r.won
    AND json_extract(m.options, '$.daily') > 0
ORDER BY day DESC;
