-- A person who is forgotten: another id takes the place of theirs, and no name that of their name.

-- name: touch!
-- A live match has changed: whoever has it in memory reads it anew.
UPDATE matches SET version = version + 1 WHERE id = :match_id AND stage IN ('lobby', 'playing');

-- name: rosters_with
SELECT id, roster FROM matches WHERE stage IN ('lobby', 'playing') AND roster LIKE :pattern
ORDER BY opened_at, id;

-- name: set_roster!
UPDATE matches SET roster = :roster WHERE id = :match_id;

-- name: drop_hands!
-- The messages in a player's DMs are theirs.
DELETE FROM posts WHERE (match_id, spot) IN (
    SELECT s.match_id, 'hand ' || s.seat FROM seats AS s WHERE s.player_id = :player_id
);

-- name: drop_own_posts!
DELETE FROM posts WHERE match_id IN (
    SELECT m.id FROM matches AS m
    WHERE m.host_id = :player_id AND m.guild_id IS NULL AND m.guest = 0 AND m.stage IN ('finished', 'stopped')
);

-- name: leave_dm!
-- What was played in a player's own DMs is in no channel any more.
UPDATE matches SET channel_id = 0, place = 'gone ' || id, followed = 1, end_unseen = 0, shown = version
WHERE host_id = :player_id AND guild_id IS NULL AND guest = 0 AND stage IN ('finished', 'stopped');

-- name: reseat!
UPDATE seats SET player_id = :other, name = '' WHERE player_id = :player_id
    AND (SELECT coalesce(m.guild_id, 0) FROM matches AS m WHERE m.id = seats.match_id) = :guild_id;

-- name: rehost_live!
UPDATE matches SET host_id = :other, place = replace(place, :own_place, :other_place)
WHERE host_id = :player_id AND stage IN ('lobby', 'playing') AND coalesce(guild_id, 0) = :guild_id;

-- name: rehost_ended!
UPDATE matches SET host_id = :other, place = replace(place, :own_place, :other_place)
WHERE host_id = :player_id AND stage IN ('finished', 'stopped') AND coalesce(guild_id, 0) = :guild_id;

-- name: drop_own_interactions!
-- What a deal is verified by, where nobody else sat at it: Discord shows who pressed.
UPDATE seats SET interaction = 0 WHERE player_id = :other AND NOT EXISTS (
    SELECT 1 FROM seats AS o
    WHERE o.match_id = seats.match_id AND o.seat <> seats.seat AND o.player_id > 0
);

-- name: drop_own_secrets!
UPDATE matches SET secret = NULL, opened_by = 0, started_by = 0
WHERE host_id = :other AND stage IN ('finished', 'stopped') AND NOT EXISTS (
    SELECT 1 FROM seats AS o
    WHERE o.match_id = matches.id AND o.player_id <> :other AND o.player_id > 0
);

-- name: places_of
-- The servers in which somebody is met; 0 is none, and all.
SELECT coalesce(m.guild_id, 0) AS guild_id FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id AND s.player_id = :player_id
UNION SELECT coalesce(m.guild_id, 0) FROM matches AS m
WHERE m.host_id = :player_id AND m.stage IN ('lobby', 'playing')
UNION SELECT coalesce(m.guild_id, 0) FROM matches AS m
WHERE m.host_id = :player_id AND m.stage IN ('finished', 'stopped')
UNION SELECT coalesce(r.guild_id, 0) FROM results AS r WHERE r.player_id = :player_id
UNION SELECT t.guild_id FROM totals AS t WHERE t.player_id = :player_id
UNION SELECT f.guild_id FROM frog_totals AS f WHERE f.player_id = :player_id
UNION SELECT d.guild_id FROM day_wins AS d WHERE d.player_id = :player_id
UNION SELECT n.guild_id FROM names AS n WHERE n.player_id = :player_id
UNION SELECT removals.guild_id FROM removals WHERE :player_id IN (by_id, back_by)
ORDER BY guild_id;

-- name: reresult!
UPDATE results SET player_id = :other WHERE player_id = :player_id AND coalesce(guild_id, 0) = :guild_id;

-- name: retotal!
UPDATE totals SET player_id = :other WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: refrog!
UPDATE frog_totals SET player_id = :other WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: counted_in
SELECT game FROM totals WHERE player_id = :player_id AND guild_id = :guild_id
UNION SELECT game FROM frog_totals WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: refigure!
UPDATE total_figures SET player_id = :other
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id;

-- name: repar!
UPDATE par_totals SET player_id = :other
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id;

-- name: redate!
UPDATE day_wins SET player_id = :other, name = '' WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: rename_nobody!
UPDATE names SET player_id = :other, name = '' WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: meetings_with
SELECT people, day, matches FROM meetings WHERE people LIKE :pattern;

-- name: drop_meeting!
DELETE FROM meetings WHERE people = :people AND day = :day;

-- name: late_tries
-- A player's own deals of the last two days on which they had one.
SELECT m.opened_at, m.game, m.deal FROM matches AS m
WHERE m.host_id = :host_id AND m.deal > 0 AND m.opened_at > (
    SELECT max(o.opened_at) - 2 * 86400 FROM matches AS o WHERE o.host_id = :host_id AND o.deal > 0
)
ORDER BY m.opened_at, m.id;

-- name: key_of_day$
SELECT min(mark) FROM forgotten_days WHERE day = :day AND amount = 0;

-- name: keys_of_days
SELECT day, mark FROM forgotten_days WHERE amount = 0 ORDER BY day, mark;

-- name: amount_of$
SELECT coalesce(sum(amount), 0) FROM forgotten_days WHERE day = :day AND mark = :mark;

-- name: add_mark!
INSERT INTO forgotten_days (day, mark, amount) VALUES (:day, :mark, :amount)
ON CONFLICT (day, mark) DO UPDATE SET amount = forgotten_days.amount + excluded.amount;

-- name: drop_forgotten_days!
DELETE FROM forgotten_days WHERE day < :day;

-- name: next_person$
-- The next who is known, by id.
SELECT min(known.player_id) FROM (
    SELECT min(p.player_id) AS player_id FROM players AS p WHERE p.player_id > :player_id
    UNION ALL
    SELECT min(s.player_id) FROM seats AS s WHERE s.player_id > :player_id
    UNION ALL
    SELECT min(n.player_id) FROM names AS n WHERE n.player_id > :player_id
) AS known;

-- name: keep_off!
-- Who is off a board stays so by id, as who is barred does; and what the nameless one has played, too.
INSERT INTO removals (guild_id, kind, subject, at, by_id)
SELECT DISTINCT o.guild_id, o.kind, CAST(:other AS text), 0, 0 FROM removals AS o
WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.subject = :subject AND o.back_at IS NULL
ON CONFLICT (guild_id, kind, subject, at) DO NOTHING;

-- name: removed_by!
UPDATE removals SET by_id = :other WHERE by_id = :player_id AND guild_id = :guild_id;

-- name: put_back_by!
UPDATE removals SET back_by = :other WHERE back_by = :player_id AND guild_id = :guild_id;

-- name: unlearn!
DELETE FROM learned WHERE player_id = :player_id;

-- name: leave_boards!
DELETE FROM day_boards WHERE player_id = :player_id;

-- name: unsolve!
DELETE FROM puzzle_answers WHERE player_id = :player_id;

-- name: drop_player!
DELETE FROM players WHERE player_id = :player_id;

-- name: seats_left
-- Where somebody still sits who was forgotten.
SELECT m.id, s.player_id FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id AND s.player_id BETWEEN :first AND :last
WHERE m.stage IN ('lobby', 'playing') ORDER BY m.opened_at, m.id;

-- A server that is forgotten: what was played there was played nowhere, and stays with its players.

-- name: depart!
INSERT INTO departures (guild_id, at) VALUES (:guild_id, :at)
ON CONFLICT (guild_id) DO UPDATE SET at = excluded.at;

-- name: come_back!
DELETE FROM departures WHERE guild_id = :guild_id;

-- name: next_server^
-- The next server that something is kept of, by its id.
SELECT min(known.guild_id) AS guild_id FROM (
    SELECT min(m.guild_id) AS guild_id FROM matches AS m
    WHERE m.stage IN ('finished', 'stopped') AND m.guild_id > :guild_id
    UNION ALL
    SELECT min(m.guild_id) FROM matches AS m
    WHERE m.stage IN ('lobby', 'playing') AND m.guild_id > :guild_id
    UNION ALL
    SELECT min(s.guild_id) FROM servers AS s WHERE s.guild_id > :guild_id
) AS known;

-- name: may_depart^
-- Whether the bot was more than a guest in a server, and nobody noted that it left.
SELECT CASE WHEN EXISTS (SELECT 1 FROM departures AS d WHERE d.guild_id = :guild_id) THEN 0 ELSE coalesce(
    (SELECT 1 FROM servers AS s WHERE s.guild_id = :guild_id),
    (
        SELECT 1 FROM matches AS m
        WHERE m.guild_id = :guild_id AND m.stage IN ('finished', 'stopped') AND m.guest = 0 LIMIT 1
    ),
    (
        SELECT 1 FROM matches AS m
        WHERE m.guild_id = :guild_id AND m.stage IN ('lobby', 'playing') AND m.guest = 0 LIMIT 1
    ),
    0
) END AS may_depart;

-- name: departed
SELECT guild_id FROM departures WHERE at <= :before ORDER BY at, guild_id;

-- name: server_matches
SELECT id FROM matches WHERE guild_id = :guild_id AND stage IN ('finished', 'stopped') LIMIT :limit;

-- name: detach_match!
UPDATE matches SET guild_id = NULL, channel_id = 0, guest = 0, place = 'gone ' || id, followed = 1,
    end_unseen = 0, version = version + 1, shown = version + 1
WHERE id = :match_id;

-- name: detach_results!
UPDATE results SET guild_id = NULL WHERE match_id = :match_id;

-- name: detach_names!
-- What somebody was called in that server only.
UPDATE seats SET name = coalesce((SELECT p.name FROM players AS p WHERE p.player_id = seats.player_id), name)
WHERE match_id = :match_id;

-- name: drop_posts!
DELETE FROM posts WHERE match_id = :match_id;

-- name: drop_double_day_wins!
DELETE FROM day_wins WHERE guild_id = :guild_id AND EXISTS (
    SELECT 1 FROM day_wins AS o
    WHERE o.player_id = day_wins.player_id AND o.game = day_wins.game AND o.day = day_wins.day
        AND o.match_id = day_wins.match_id AND o.guild_id <> day_wins.guild_id
);

-- name: detach_day_wins!
UPDATE day_wins SET guild_id = 0,
    name = coalesce((SELECT p.name FROM players AS p WHERE p.player_id = day_wins.player_id), name)
WHERE guild_id = :guild_id;

-- name: drop_frog_totals!
DELETE FROM frog_totals
WHERE guild_id = :guild_id AND player_id IN (SELECT n.player_id FROM names AS n WHERE n.guild_id = :guild_id);

-- name: drop_totals!
DELETE FROM totals WHERE guild_id = :guild_id;

-- name: drop_figures!
DELETE FROM total_figures WHERE guild_id = :guild_id;

-- name: drop_pars!
DELETE FROM par_totals WHERE guild_id = :guild_id;

-- name: drop_names!
DELETE FROM names WHERE guild_id = :guild_id;

-- name: drop_day_boards!
DELETE FROM day_boards WHERE guild_id = :guild_id;

-- name: drop_removals!
-- Who is off the boards stays so, where the bot goes on.
DELETE FROM removals WHERE guild_id = :guild_id AND (kind = 'match' OR :is_gone = 1);

-- name: drop_server!
DELETE FROM servers WHERE guild_id = :guild_id;

-- Names that no leaderboard shows:

-- name: names_after
SELECT n.guild_id, n.player_id, n.unshown_since, coalesce(
    (SELECT 1 FROM totals AS t WHERE t.player_id = n.player_id AND t.guild_id = n.guild_id LIMIT 1),
    (SELECT 1 FROM frog_totals AS f WHERE f.player_id = n.player_id AND f.guild_id = n.guild_id LIMIT 1),
    (SELECT 1 FROM day_wins AS d WHERE d.player_id = n.player_id AND d.guild_id = n.guild_id LIMIT 1),
    0
) AS is_shown
FROM names AS n WHERE (n.guild_id, n.player_id) > (:guild_id, :player_id)
ORDER BY n.guild_id, n.player_id LIMIT :limit;

-- name: mark_name!
UPDATE names SET unshown_since = :since WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: drop_name!
DELETE FROM names WHERE guild_id = :guild_id AND player_id = :player_id AND unshown_since <= :before;

-- name: players_after
SELECT p.player_id, p.unshown_since, coalesce(
    (SELECT 1 FROM names AS n WHERE n.player_id = p.player_id LIMIT 1),
    (
        SELECT 1 FROM seats AS s INNER JOIN matches AS m ON m.id = s.match_id
        WHERE s.player_id = p.player_id AND m.stage IN ('lobby', 'playing') LIMIT 1
    ),
    CASE WHEN p.name IS NULL AND p.user_name IS NULL THEN coalesce(
        (SELECT 0 FROM seats AS s WHERE s.player_id = p.player_id AND s.name <> '' LIMIT 1), 1
    ) ELSE 0 END
) AS is_shown
FROM players AS p WHERE p.player_id > :player_id ORDER BY p.player_id LIMIT :limit;

-- name: mark_player!
UPDATE players SET unshown_since = :since WHERE player_id = :player_id;

-- name: drop_names_of!
UPDATE players SET name = NULL, user_name = NULL, unshown_since = NULL WHERE player_id = :player_id;

-- name: drop_seat_names!
UPDATE seats SET name = '' WHERE player_id = :player_id;

-- name: drop_old_meetings!
-- Only those of a match's own day are ever asked for.
DELETE FROM meetings WHERE (people, day) IN (
    SELECT people, day FROM meetings WHERE day < :day LIMIT :limit
);
