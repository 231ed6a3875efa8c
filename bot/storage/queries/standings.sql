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

-- name: hints_of
SELECT seat, hints FROM seats WHERE match_id = :match_id AND hints > 0;

-- name: uncounted_of$
SELECT uncounted FROM matches WHERE id = :match_id;

-- name: tries_of
SELECT opened_at, id FROM matches
WHERE host_id = :host_id AND deal = :deal AND deal > 0 AND game = :game;

-- name: meetings_of$
SELECT coalesce(sum(matches), 0) FROM meetings WHERE people = :people AND day = :day;

-- name: pars_of
SELECT difference, deals FROM par_totals
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY difference;

-- What the end of a match adds up:

-- name: set_uncounted!
UPDATE matches SET uncounted = :why WHERE id = :match_id;

-- name: add_meeting!
INSERT INTO meetings (people, day, matches) VALUES (:people, :day, 1)
ON CONFLICT (people, day) DO UPDATE SET matches = meetings.matches + 1;

-- name: add_total!
INSERT INTO totals (guild_id, game, player_id, matches, wins)
VALUES (:guild_id, :game, :player_id, 1, :won)
ON CONFLICT (guild_id, game, player_id)
DO UPDATE SET matches = totals.matches + 1, wins = totals.wins + excluded.wins;

-- name: add_frog_total!
INSERT INTO frog_totals (guild_id, game, player_id, strength, matches, wins)
VALUES (:guild_id, :game, :player_id, :strength, 1, :won)
ON CONFLICT (guild_id, game, player_id, strength)
DO UPDATE SET matches = frog_totals.matches + 1, wins = frog_totals.wins + excluded.wins;

-- name: add_to_figure!
INSERT INTO total_figures (guild_id, game, player_id, key, value)
VALUES (:guild_id, :game, :player_id, :key, :value)
ON CONFLICT (guild_id, game, player_id, key) DO UPDATE SET value = total_figures.value + excluded.value;

-- name: put_name!
INSERT INTO names (guild_id, player_id, name) VALUES (:guild_id, :player_id, :name)
ON CONFLICT (guild_id, player_id) DO UPDATE SET name = excluded.name, unshown_since = NULL
WHERE names.name <> excluded.name OR names.unshown_since IS NOT NULL;

-- name: add_day_win!
INSERT INTO day_wins (
    player_id, game, day, match_id, guild_id, name, moves, undos, seconds, ended_at, late, helped
) VALUES (
    :player_id, :game, :day, :match_id, :guild_id, :name, :moves, :undos, :seconds, :ended_at, :late,
    :helped
);

-- name: add_par!
INSERT INTO par_totals (guild_id, game, player_id, difference, deals)
VALUES (:guild_id, :game, :player_id, :difference, 1)
ON CONFLICT (guild_id, game, player_id, difference) DO UPDATE SET deals = par_totals.deals + 1;

-- What is counted anew:

-- name: results_of_match
SELECT seat, won, played, seat IN (
    SELECT v.seat FROM moves AS v WHERE v.match_id = :match_id AND v.mover = 'handed over'
) AS handed_over FROM results WHERE match_id = :match_id ORDER BY seat;

-- name: figures_of_match
SELECT seat, key, value FROM figures WHERE match_id = :match_id;

-- name: set_played!
UPDATE results SET played = :played WHERE match_id = :match_id AND seat = :seat;

-- What was taken off boards:

-- name: removals_of
SELECT guild_id, kind, subject FROM removals
WHERE ((kind = 'match' AND subject = :match_id) OR (kind = 'player' AND subject = :player_id))
    AND back_at IS NULL;

-- name: names_off
SELECT subject FROM removals WHERE guild_id IN (0, :guild_id) AND kind = 'name' AND back_at IS NULL;
