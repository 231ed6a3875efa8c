-- Details for the download, which may be many rows. They name no server in which a person has no other
-- data, so that forgetting does not read them:

-- name: own_details_moves
SELECT m.match_id, m.n, m.text, m.choice, m.at, m.mover FROM seats AS s
INNER JOIN moves AS m ON m.match_id = s.match_id AND m.seat = s.seat
WHERE s.player_id = :player_id ORDER BY m.match_id, m.n;

-- name: own_details_figures
SELECT f.match_id, f.key, f.value FROM seats AS s
INNER JOIN figures AS f ON f.match_id = s.match_id AND f.seat = s.seat
WHERE s.player_id = :player_id ORDER BY f.match_id, f.key;

-- name: own_details_total_figures
SELECT f.guild_id, f.game, f.key, f.value FROM totals AS t
INNER JOIN total_figures AS f ON f.guild_id = t.guild_id AND f.game = t.game AND f.player_id = t.player_id
WHERE t.player_id = :player_id ORDER BY f.guild_id, f.game, f.key;

-- name: own_details_pars
SELECT p.guild_id, p.game, p.difference, p.deals FROM totals AS t
INNER JOIN par_totals AS p ON p.guild_id = t.guild_id AND p.game = t.game AND p.player_id = t.player_id
WHERE t.player_id = :player_id ORDER BY p.guild_id, p.game, p.difference;

-- Forgetting of a server. Its matches are detached from it and stay with their players. All statements
-- that begin with ``forget_server_``, here or in the folders of other features, run in the order of
-- their names.

-- name: come_back!
DELETE FROM departures WHERE guild_id = :guild_id;

-- name: next_server$
-- The next ID after a given one of a server with stored data. Servers in which the bot was only a guest
-- have nothing but matches and duels. Their matches are left out.
SELECT min(known.guild_id) FROM (
    SELECT min(m.guild_id) AS guild_id FROM matches AS m
    WHERE m.stage IN ('finished', 'stopped') AND m.guild_id > :guild_id AND m.guest = 0
    UNION ALL
    SELECT min(m.guild_id) FROM matches AS m
    WHERE m.stage IN ('lobby', 'playing') AND m.guild_id > :guild_id AND m.guest = 0
    UNION ALL
    SELECT min(s.guild_id) FROM servers AS s WHERE s.guild_id > :guild_id
    UNION ALL
    SELECT min(r.guild_id) FROM regular_posts AS r WHERE r.guild_id > :guild_id
    UNION ALL
    SELECT min(p.guild_id) FROM post_settings AS p WHERE p.guild_id > :guild_id
    UNION ALL
    SELECT min(a.guild_id) FROM lobby_alerts AS a WHERE a.guild_id > :guild_id
    UNION ALL
    SELECT min(a.guild_id) FROM alert_roles AS a WHERE a.guild_id > :guild_id
    UNION ALL
    SELECT min(c.guild_id) FROM champion_roles AS c WHERE c.guild_id > :guild_id
    UNION ALL
    SELECT min(c.guild_id) FROM challenges AS c WHERE c.guild_id > :guild_id
    UNION ALL
    SELECT min(d.guild_id) FROM duel_tries AS d WHERE d.guild_id > :guild_id
) AS known;

-- name: depart!
INSERT INTO departures (guild_id, at) VALUES (:guild_id, :at) ON CONFLICT (guild_id) DO NOTHING;

-- name: departed
SELECT guild_id, at FROM departures ORDER BY at, guild_id;

-- name: server_matches
SELECT id FROM matches WHERE guild_id = :guild_id AND stage IN ('finished', 'stopped') LIMIT :limit;

-- name: detach_match!
UPDATE matches SET guild_id = NULL, channel_id = 0, guest = 0, place = 'gone ' || id, followed = 1,
    end_unseen = 0, version = version + 1, shown = version + 1
WHERE id = :match_id;

-- name: detach_end_facts!
-- These facts contain ranks on the leaderboards of the server.
DELETE FROM end_facts WHERE match_id = :match_id;

-- name: detach_results!
UPDATE results SET guild_id = NULL WHERE match_id = :match_id;

-- name: detach_names!
-- Replaces names used in the server by global names.
UPDATE seats SET name = coalesce((SELECT p.name FROM players AS p WHERE p.player_id = seats.player_id), name)
WHERE match_id = :match_id;

-- name: detach_posts!
DELETE FROM posts WHERE match_id = :match_id;

-- name: forget_server_figures!
DELETE FROM total_figures WHERE guild_id = :guild_id;

-- name: forget_server_frog_totals!
-- Runs before forget_server_names, because the names identify the players of the server.
DELETE FROM frog_totals
WHERE guild_id = :guild_id AND player_id IN (SELECT n.player_id FROM names AS n WHERE n.guild_id = :guild_id);

-- name: forget_server_names!
DELETE FROM names WHERE guild_id = :guild_id;

-- name: forget_server_pars!
DELETE FROM par_totals WHERE guild_id = :guild_id;

-- name: forget_server_settings!
DELETE FROM servers WHERE guild_id = :guild_id AND :is_gone = 1;

-- name: forget_server_totals!
DELETE FROM totals WHERE guild_id = :guild_id;

-- Names that no leaderboard shows, of players with IDs from :first to :last:

-- name: last_of_page$
SELECT max(page.player_id) FROM (
    SELECT p.player_id FROM players AS p WHERE p.player_id >= :first ORDER BY p.player_id LIMIT :limit
) AS page;

-- name: mark_unshown_names!
-- Marks names that are no longer shown, and removes the mark of names that are shown again.
UPDATE names SET unshown_since = CASE WHEN unshown_since IS NULL THEN CAST(:now AS bigint) END
WHERE player_id BETWEEN :first AND :last AND (unshown_since IS NOT NULL) = (
    EXISTS (SELECT 1 FROM totals AS t WHERE t.player_id = names.player_id AND t.guild_id = names.guild_id)
    OR EXISTS (
        SELECT 1 FROM frog_totals AS f WHERE f.player_id = names.player_id AND f.guild_id = names.guild_id
    )
);

-- name: mark_unshown_players!
UPDATE players SET unshown_since = CASE WHEN unshown_since IS NULL THEN CAST(:now AS bigint) END
WHERE player_id BETWEEN :first AND :last AND (unshown_since IS NOT NULL) = (
    EXISTS (SELECT 1 FROM names AS n WHERE n.player_id = players.player_id)
    OR EXISTS (
        SELECT 1 FROM seats AS s INNER JOIN matches AS m ON m.id = s.match_id
        WHERE s.player_id = players.player_id AND m.stage IN ('lobby', 'playing')
    )
    OR (
        name IS NULL AND user_name IS NULL
        AND NOT EXISTS (SELECT 1 FROM seats AS s WHERE s.player_id = players.player_id AND s.name <> '')
    )
);

-- name: drop_unshown_names
DELETE FROM names WHERE player_id BETWEEN :first AND :last AND unshown_since <= :before
RETURNING player_id;

-- name: drop_unshown_seats
UPDATE seats SET name = '' WHERE player_id IN (
    SELECT p.player_id FROM players AS p
    WHERE p.player_id BETWEEN :first AND :last AND p.unshown_since <= :before
) RETURNING player_id;

-- name: drop_unshown_users
-- Runs after drop_unshown_seats, which needs the mark.
UPDATE players SET name = NULL, user_name = NULL, unshown_since = NULL
WHERE player_id BETWEEN :first AND :last AND unshown_since <= :before
RETURNING player_id;

-- name: drop_old_wins_over!
-- Only wins of the day on which a match ends are queried.
DELETE FROM wins_over WHERE (winner_id, day, loser_id) IN (
    SELECT winner_id, day, loser_id FROM wins_over WHERE day < :day LIMIT :limit
);

-- name: drop_forgotten_days!
DELETE FROM forgotten_days WHERE day < :day;
