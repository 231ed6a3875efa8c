-- Queries to export and to forget the data of a person.
--
-- Each query whose name begins with ``own_data_``, here or in the folder of a feature, selects stored
-- data of :player_id, without data of other people or future cards. Rows about a server have its
-- guild_id, so that all servers of the person are found. Each statement whose name begins with
-- ``forget_player_`` runs for each of these servers and for 0. It replaces :player_id by :other, the
-- placeholder of that server. The statements run in the order of their names, perhaps repeatedly.

-- name: own_data_player
SELECT dm_channel_id, dms_closed, locale, name, user_name, unshown_since, told, night, zone, four_colours,
    text_table, shows_totals
FROM players WHERE player_id = :player_id;

-- name: own_data_names
SELECT guild_id, name FROM names WHERE player_id = :player_id ORDER BY guild_id;

-- name: own_data_matches
SELECT
    m.id, m.game, m.rules_version, m.guild_id, m.channel_id, m.guest, m.stage, m.opened_at, m.ended_at,
    m.turn_seconds, m.unfinished, m.uncounted, m.day, m.options,
    CASE WHEN m.host_id = :player_id THEN 1 ELSE 0 END AS is_host,
    s.seat, s.name, s.missed, s.bank, s.strength, s.hints, r.won, r.played
FROM seats AS s
INNER JOIN matches AS m ON m.id = s.match_id
LEFT JOIN results AS r ON r.match_id = s.match_id AND r.seat = s.seat
WHERE s.player_id = :player_id ORDER BY m.opened_at, m.id;

-- name: own_data_end_facts
SELECT e.match_id, e.key, e.value FROM seats AS s
INNER JOIN end_facts AS e ON e.match_id = s.match_id AND e.seat = s.seat
WHERE s.player_id = :player_id ORDER BY e.match_id, e.key;

-- name: own_data_messages
-- The messages in the DMs of the player.
SELECT p.match_id, p.channel_id, p.message_id, p.posted_at FROM seats AS s
INNER JOIN players AS o ON o.player_id = s.player_id
INNER JOIN posts AS p ON p.match_id = s.match_id AND p.channel_id = o.dm_channel_id
WHERE s.player_id = :player_id ORDER BY p.match_id, p.spot;

-- name: own_data_totals
SELECT guild_id, game, matches, wins FROM totals WHERE player_id = :player_id ORDER BY guild_id, game;

-- name: own_data_with_computer_players
SELECT guild_id, game, strength, matches, wins FROM frog_totals
WHERE player_id = :player_id ORDER BY guild_id, game, strength;

-- name: own_data_wins_over
SELECT CASE WHEN winner_id = :player_id THEN 1 ELSE 0 END AS is_won, day, wins FROM wins_over
WHERE loser_id <> 0 AND (winner_id = :player_id OR loser_id = :player_id);

-- name: own_data_barred_in
-- Only servers in which the person has played are searched.
SELECT guild_id FROM servers
WHERE guild_id IN (
    SELECT n.guild_id FROM names AS n WHERE n.player_id = :player_id
    UNION SELECT m.guild_id FROM seats AS s INNER JOIN matches AS m ON m.id = s.match_id
    WHERE s.player_id = :player_id
    UNION SELECT d.guild_id FROM duel_tries AS d WHERE d.player_id = :player_id
    UNION SELECT c.guild_id FROM challenge_tries AS t INNER JOIN challenges AS c ON c.id = t.challenge_id
    WHERE t.player_id = :player_id
)
    AND replace(replace(replace(barred, ' ', ''), '[', ','), ']', ',')
    LIKE '%,' || CAST(:player_id AS bigint) || ',%' ORDER BY guild_id;

-- name: hosted_in
-- The servers in which a person hosts or hosted a match, perhaps without a seat.
SELECT guild_id FROM matches WHERE host_id = :player_id AND stage IN ('lobby', 'playing')
UNION SELECT guild_id FROM matches WHERE host_id = :player_id AND stage IN ('finished', 'stopped');

-- name: forget_player_dm!
-- Detaches finished matches in the DMs of the player from their channel.
UPDATE matches SET channel_id = 0, place = 'gone ' || id, followed = 1, end_unseen = 0, shown = version
WHERE host_id IN (:player_id, :other) AND guild_id IS NULL AND guest = 0 AND stage IN ('finished', 'stopped');

-- name: forget_player_end_facts!
DELETE FROM end_facts WHERE (match_id, seat) IN (
    SELECT s.match_id, s.seat FROM seats AS s WHERE s.player_id IN (:player_id, :other)
);

-- name: forget_player_figures!
UPDATE total_figures SET player_id = :other
WHERE guild_id = :guild_id AND player_id = :player_id AND game IN (
    SELECT t.game FROM totals AS t WHERE t.player_id IN (:player_id, :other) AND t.guild_id = :guild_id
    UNION SELECT f.game FROM frog_totals AS f
    WHERE f.player_id IN (:player_id, :other) AND f.guild_id = :guild_id
);

-- name: forget_player_frog_totals!
UPDATE frog_totals SET player_id = :other WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: forget_player_hands!
-- The IDs of messages in the DMs of the player are data of the player alone.
DELETE FROM posts WHERE (match_id, spot) IN (
    SELECT s.match_id, 'hand ' || s.seat FROM seats AS s WHERE s.player_id IN (:player_id, :other)
);

-- name: forget_player_hosted_ended!
UPDATE matches SET host_id = :other,
    place = replace(place, ' player ' || host_id, ' player ' || CAST(:other AS bigint))
WHERE host_id = :player_id AND stage IN ('finished', 'stopped') AND coalesce(guild_id, 0) = :guild_id;

-- name: forget_player_hosted_live!
UPDATE matches SET host_id = :other,
    place = replace(place, ' player ' || host_id, ' player ' || CAST(:other AS bigint))
WHERE host_id = :player_id AND stage IN ('lobby', 'playing') AND coalesce(guild_id, 0) = :guild_id;

-- name: forget_player_lines!
-- Pings in the DMs of the player that could not be removed. Runs before forget_player_settings.
DELETE FROM posts WHERE match_id IN (
    SELECT s.match_id FROM seats AS s WHERE s.player_id IN (:player_id, :other)
) AND channel_id = (SELECT p.dm_channel_id FROM players AS p WHERE p.player_id = :player_id);

-- name: forget_player_names!
UPDATE names SET player_id = :other, name = '' WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: forget_player_pars!
UPDATE par_totals SET player_id = :other
WHERE guild_id = :guild_id AND player_id = :player_id AND game IN (
    SELECT t.game FROM totals AS t WHERE t.player_id IN (:player_id, :other) AND t.guild_id = :guild_id
);

-- name: forget_player_posts!
DELETE FROM posts WHERE match_id IN (
    SELECT m.id FROM matches AS m
    WHERE m.host_id IN (:player_id, :other) AND m.guild_id IS NULL AND m.guest = 0
        AND m.stage IN ('finished', 'stopped')
);

-- name: forget_player_results!
UPDATE results SET player_id = :other WHERE player_id = :player_id AND coalesce(guild_id, 0) = :guild_id;

-- name: forget_player_seats!
-- Also deletes the interaction ID if no other person had a seat, because Discord shows the user of an
-- interaction.
UPDATE seats SET player_id = :other, name = '', interaction = CASE WHEN EXISTS (
    SELECT 1 FROM seats AS o WHERE o.match_id = seats.match_id AND o.seat <> seats.seat AND o.player_id > 0
) THEN interaction ELSE 0 END
WHERE player_id = :player_id
    AND (SELECT coalesce(m.guild_id, 0) FROM matches AS m WHERE m.id = seats.match_id) = :guild_id;

-- name: forget_player_secrets!
UPDATE matches SET secret = NULL, opened_by = 0, started_by = 0
WHERE host_id IN (:player_id, :other) AND stage IN ('finished', 'stopped') AND NOT EXISTS (
    SELECT 1 FROM seats AS o
    WHERE o.match_id = matches.id AND o.player_id NOT IN (:player_id, :other) AND o.player_id > 0
);

-- name: forget_player_settings!
DELETE FROM players WHERE player_id = :player_id;

-- name: forget_player_totals!
UPDATE totals SET player_id = :other WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: forget_player_viewed_deals!
DELETE FROM viewed_deals WHERE player_id = :player_id;

-- name: forget_player_wins_over!
DELETE FROM wins_over WHERE winner_id = :player_id OR loser_id = :player_id;

-- name: own_data_viewed_deals
SELECT game, deal, at FROM viewed_deals WHERE player_id = :player_id ORDER BY at, game, deal;

-- name: seats_left
-- The live seats of forgotten people.
SELECT m.id, s.player_id FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id AND s.player_id BETWEEN :first AND :last
WHERE m.stage IN ('lobby', 'playing') ORDER BY m.opened_at, m.id;

-- Data of the person in rows of other people:

-- name: touch!
-- Increments the version of a live match, so that cached copies are stale.
UPDATE matches SET version = version + 1 WHERE id = :match_id AND stage IN ('lobby', 'playing');

-- name: rosters_with
SELECT id, roster FROM matches WHERE stage IN ('lobby', 'playing') AND roster LIKE :pattern
ORDER BY opened_at, id;

-- name: set_roster!
UPDATE matches SET roster = :roster WHERE id = :match_id;

-- name: late_tries
-- All statements that begin with ``late_tries``, here or in the folders of features, run. Deals that the player played in the two days up to the latest such match, and deals viewed in the two
-- days up to the latest view.
SELECT m.opened_at, m.game, m.deal FROM matches AS m
WHERE m.host_id = :host_id AND m.deal > 0 AND m.opened_at > (
    SELECT max(o.opened_at) - 2 * 86400 FROM matches AS o WHERE o.host_id = :host_id AND o.deal > 0
)
UNION ALL
SELECT v.at, v.game, v.deal FROM viewed_deals AS v
WHERE v.player_id = :host_id AND v.at > (
    SELECT max(o.at) - 2 * 86400 FROM viewed_deals AS o WHERE o.player_id = :host_id
)
ORDER BY 1, 2, 3;

-- name: key_of_day$
SELECT min(mark) FROM forgotten_days WHERE day = :day AND amount = 0;

-- name: keys_of_days
SELECT day, mark FROM forgotten_days WHERE amount = 0 ORDER BY day, mark;

-- name: amount_of$
SELECT coalesce(sum(amount), 0) FROM forgotten_days WHERE day = :day AND mark = :mark;

-- name: add_mark!
INSERT INTO forgotten_days (day, mark, amount) VALUES (:day, :mark, :amount)
ON CONFLICT (day, mark) DO UPDATE SET amount = forgotten_days.amount + excluded.amount;

-- name: next_person$
-- The next ID of a known person after a given one.
SELECT min(known.player_id) FROM (
    SELECT min(p.player_id) AS player_id FROM players AS p WHERE p.player_id > :player_id
    UNION ALL
    SELECT min(s.player_id) FROM seats AS s WHERE s.player_id > :player_id
    UNION ALL
    SELECT min(n.player_id) FROM names AS n WHERE n.player_id > :player_id
) AS known;
