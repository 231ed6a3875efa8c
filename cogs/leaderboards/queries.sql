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

-- name: pars_of
SELECT difference, deals FROM par_totals
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY difference;
