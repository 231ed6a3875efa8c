-- With a guild_id of 0, the matches of all servers and of DMs count together.

-- name: page_of
-- Some of the players of a leaderboard, best first. Equals share a rank: on the page they are seen, and only
-- those of its first one are counted.
SELECT page.player_id, page.matches, page.wins, n.name, p.user_name, CASE
    WHEN rank() OVER best > 1 THEN :offset + rank() OVER best
    ELSE 1 + (
        SELECT count(*) FROM totals AS o
        WHERE o.guild_id = :guild_id AND o.game = :game AND o.wins > page.wins
    ) + (
        SELECT count(*) FROM totals AS o
        WHERE o.guild_id = :guild_id AND o.game = :game AND o.wins = page.wins AND o.matches < page.matches
    )
END AS rank
FROM (
    SELECT guild_id, player_id, matches, wins FROM totals
    WHERE guild_id = :guild_id AND game = :game
    ORDER BY wins DESC, matches, player_id LIMIT :limit OFFSET :offset
) AS page
INNER JOIN names AS n ON n.guild_id = page.guild_id AND n.player_id = page.player_id
LEFT JOIN players AS p ON p.player_id = page.player_id
WINDOW best AS (ORDER BY page.wins DESC, page.matches)
ORDER BY page.wins DESC, page.matches, page.player_id;

-- name: total_of^
-- A player's place on it.
SELECT t.player_id, t.matches, t.wins, n.name, p.user_name, 1 + (
    SELECT count(*) FROM totals AS o
    WHERE o.guild_id = :guild_id AND o.game = :game AND o.wins > t.wins
) + (
    SELECT count(*) FROM totals AS o
    WHERE o.guild_id = :guild_id AND o.game = :game AND o.wins = t.wins AND o.matches < t.matches
) AS rank
FROM totals AS t
INNER JOIN names AS n ON n.guild_id = t.guild_id AND n.player_id = t.player_id
LEFT JOIN players AS p ON p.player_id = t.player_id
WHERE t.guild_id = :guild_id AND t.game = :game AND t.player_id = :player_id;

-- name: position_of$
-- The number of players before a player on it.
SELECT count(*) FROM totals AS t
INNER JOIN totals AS o ON o.guild_id = t.guild_id AND o.game = t.game AND (
    o.wins > t.wins OR (o.wins = t.wins AND (o.matches, o.player_id) < (t.matches, t.player_id))
)
WHERE t.guild_id = :guild_id AND t.game = :game AND t.player_id = :player_id;

-- name: figures_of
SELECT key, value FROM total_figures
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY key;

-- name: players_of$
SELECT count(*) FROM totals WHERE guild_id = :guild_id AND game = :game;

-- name: games_of
SELECT game FROM totals WHERE player_id = :player_id AND guild_id = :guild_id
UNION SELECT game FROM frog_totals WHERE player_id = :player_id AND guild_id = :guild_id
ORDER BY game;

-- name: name_of$
SELECT name FROM names WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: frog_totals_of
SELECT strength, matches, wins FROM frog_totals
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id;

-- name: frog_board
-- A server's players by what they won at tables with frogs, the strongest first.
SELECT counted.*, rank() OVER (ORDER BY toad DESC, froglet DESC, tadpole DESC, matches) AS rank FROM (
    SELECT
        n.player_id, sum(f.matches) AS matches, sum(f.wins) AS wins,
        sum(CASE WHEN f.strength = 'toad' THEN f.wins ELSE 0 END) AS toad,
        sum(CASE WHEN f.strength = 'froglet' THEN f.wins ELSE 0 END) AS froglet,
        sum(CASE WHEN f.strength = 'tadpole' THEN f.wins ELSE 0 END) AS tadpole
    FROM names AS n INNER JOIN frog_totals AS f ON f.player_id = n.player_id AND f.guild_id = n.guild_id
    WHERE n.guild_id = :guild_id AND n.name <> '' GROUP BY n.player_id
) AS counted
ORDER BY toad DESC, froglet DESC, tadpole DESC, matches, player_id;

-- name: pars_of
SELECT difference, deals FROM par_totals
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY difference;

-- name: days_of
SELECT '' AS game, day, 1 AS good, min(ended_at) AS ended_at FROM day_wins
WHERE player_id = :player_id AND helped < :beyond GROUP BY day
UNION ALL
SELECT game, day, is_right, 0 FROM puzzle_answers WHERE player_id = :player_id;

-- name: has_rows_on_boards$
SELECT CASE WHEN
    EXISTS (SELECT 1 FROM totals AS t WHERE t.player_id = :player_id AND t.guild_id = :guild_id)
    OR EXISTS (SELECT 1 FROM frog_totals AS f WHERE f.player_id = :player_id AND f.guild_id = :guild_id)
    OR EXISTS (SELECT 1 FROM day_wins AS d WHERE d.player_id = :player_id AND d.guild_id = :guild_id)
    OR EXISTS (SELECT 1 FROM puzzle_answers AS a WHERE a.player_id = :player_id AND a.day > :since)
THEN 1 ELSE 0 END;

-- name: results_of
-- What single matches tell of a player, as they count for boards. Among people, these are: how many at a table of so
-- many, in how few turns a toad came, and who was met most often.
WITH mine AS (
    SELECT r.match_id, r.seat, r.game, CASE
        WHEN r.won = 1 AND r.played = 1 AND s.strength IS NULL AND coalesce(m.uncounted, '') <> 'helped'
        AND NOT EXISTS (
            SELECT 1 FROM moves AS v
            WHERE v.match_id = r.match_id AND v.seat = r.seat AND v.mover = 'handed over'
        ) THEN 1 ELSE 0
    END AS won, CASE
        WHEN EXISTS (SELECT 1 FROM seats AS f WHERE f.match_id = r.match_id AND f.player_id < 0) THEN 1 ELSE 0
    END AS has_frogs
    FROM results AS r
    INNER JOIN matches AS m ON m.id = r.match_id
    INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
    WHERE r.player_id = :player_id AND m.channel_id <> 0
        AND (r.guild_id = :guild_id OR CAST(:guild_id AS bigint) = 0)
        AND (
            m.uncounted IS NULL OR m.uncounted = 'helped'
            OR (m.uncounted = 'often' AND CAST(:guild_id AS bigint) <> 0)
        )
        AND NOT EXISTS (
            SELECT 1 FROM removals AS o
            WHERE o.guild_id IN (0, :guild_id) AND o.back_at IS NULL AND (
                (o.kind = 'match' AND o.subject = r.match_id)
                OR (o.kind = 'player' AND o.subject = CAST(r.player_id AS text))
            )
        )
), sized AS (
    SELECT game, won, (SELECT count(*) FROM seats AS s WHERE s.match_id = mine.match_id) AS seats FROM mine WHERE has_frogs = 0
), met AS (
    SELECT o.player_id, n.name, count(*) AS matches, sum(mine.won) AS wins
    FROM mine
    INNER JOIN results AS o ON o.match_id = mine.match_id AND o.seat <> mine.seat
    INNER JOIN names AS n ON n.guild_id = :guild_id AND n.player_id = o.player_id AND n.name <> ''
    WHERE mine.has_frogs = 0 GROUP BY o.player_id, n.name ORDER BY matches DESC, wins DESC, o.player_id LIMIT 25
)
SELECT 'seats' AS what, game, '' AS name, seats AS number, count(*) AS matches, sum(won) AS wins
FROM sized GROUP BY game, seats
UNION ALL
SELECT 'quickest', '', '', min(f.value), 0, 0 FROM mine
INNER JOIN figures AS f ON f.match_id = mine.match_id AND f.seat = mine.seat
WHERE f.key = 'quickest' AND f.value > 0 AND mine.has_frogs = 0 GROUP BY f.key
UNION ALL
SELECT 'frogs', f.key, '', min(CASE WHEN f.value > 0 THEN f.value END), sum(f.value), 0 FROM mine
INNER JOIN figures AS f ON f.match_id = mine.match_id AND f.seat = mine.seat
WHERE mine.has_frogs = 1 GROUP BY f.key
UNION ALL
SELECT 'rival', '', name, player_id, matches, wins FROM met;

-- name: frog_row_before$
-- The wins in a row, up to the latest match against computer players in a channel before another.
SELECT e.value FROM matches AS m
INNER JOIN results AS r ON r.match_id = m.id AND r.player_id = :player_id
LEFT JOIN end_facts AS e ON e.match_id = m.id AND e.seat = r.seat AND e.key = 'frogs in a row'
WHERE m.channel_id = :channel_id AND m.ended_at > :since AND m.game = :game AND m.id <> :match_id
    AND EXISTS (SELECT 1 FROM seats AS f WHERE f.match_id = m.id AND f.player_id < 0)
ORDER BY m.ended_at DESC, m.id DESC LIMIT 1;
