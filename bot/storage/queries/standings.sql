-- A guild_id of 0 is the total of all servers and DMs.

-- name: hints_of
SELECT seat, hints FROM seats WHERE match_id = :match_id AND hints > 0;

-- name: uncounted_of$
SELECT uncounted FROM matches WHERE id = :match_id;

-- name: tries_of
SELECT opened_at, id FROM matches
WHERE host_id = :host_id AND deal = :deal AND deal > 0 AND game = :game;

-- name: wins_over
SELECT loser_id, wins FROM wins_over WHERE winner_id = :winner_id AND day = :day;

-- name: end_facts_of
SELECT seat, key, value FROM end_facts WHERE match_id = :match_id ORDER BY seat, key;

-- Totals, updated when a match ends:

-- name: add_end_fact!
INSERT INTO end_facts (match_id, seat, key, value) VALUES (:match_id, :seat, :key, :value);

-- name: set_uncounted!
UPDATE matches SET uncounted = :why WHERE id = :match_id;

-- name: add_win_over!
INSERT INTO wins_over (winner_id, day, loser_id, wins) VALUES (:winner_id, :day, :loser_id, :wins)
ON CONFLICT (winner_id, day, loser_id) DO UPDATE SET wins = wins_over.wins + excluded.wins;

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

-- Queries of a recount:

-- name: results_of_match
SELECT seat, won, played, seat IN (
    SELECT v.seat FROM moves AS v WHERE v.match_id = :match_id AND v.mover = 'handed over'
) AS handed_over FROM results WHERE match_id = :match_id ORDER BY seat;

-- name: figures_of_match
SELECT seat, key, value FROM figures WHERE match_id = :match_id;

-- name: set_played!
UPDATE results SET played = :played WHERE match_id = :match_id AND seat = :seat;

-- name: put_figure!
-- Also adds a figure that the game did not count yet when the match ended.
INSERT INTO figures (match_id, seat, key, value) VALUES (:match_id, :seat, :key, :value)
ON CONFLICT (match_id, seat, key) DO UPDATE SET value = excluded.value;

-- Removals from leaderboards:

-- name: removals_of
SELECT guild_id, kind, subject FROM removals
WHERE ((kind = 'match' AND subject = :match_id) OR (kind = 'player' AND subject = :player_id))
    AND back_at IS NULL;

-- name: names_off
SELECT subject FROM removals WHERE guild_id IN (0, :guild_id) AND kind = 'name' AND back_at IS NULL;

-- name: name_on_board^
-- A player's name on a server's leaderboards, unless the player was forgotten or removed, or left the
-- leaderboards.
SELECT n.name, p.user_name FROM names AS n LEFT JOIN players AS p ON p.player_id = n.player_id
WHERE n.guild_id = :guild_id AND n.player_id = :player_id AND n.name <> '' AND NOT EXISTS (
    SELECT 1 FROM removals AS o
    WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.subject = :subject AND o.back_at IS NULL
);
