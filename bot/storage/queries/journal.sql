-- The first five queries return one row per seat, so that a match and its seats are of the same version.

-- name: match_by_id
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m LEFT JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.id = :id ORDER BY s.seat;

-- name: match_at
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m LEFT JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.place = :place AND m.stage IN ('lobby', 'playing') ORDER BY s.seat;

-- name: live_matches
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m LEFT JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.stage IN ('lobby', 'playing') ORDER BY m.opened_at, m.id, s.seat;

-- name: hosted
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m LEFT JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.host_id = :host_id AND m.stage IN ('lobby', 'playing') ORDER BY m.opened_at, m.id, s.seat;

-- name: match_of_day
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m LEFT JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
WHERE m.host_id = :player_id AND m.day = :day AND m.day > 0 AND m.game = :game ORDER BY s.seat;

-- name: waiting
-- All live matches of some shards, with the time of their next check and whether messages must be
-- updated. Then matches that ended since a given time and whose messages may not show that.
SELECT id, game, guild_id, channel_id, guest, wakes_at, rules_version, version > shown AS is_due,
    coalesce((guild_id >> 22) % :count, 0) AS shard, opened_at
FROM matches
WHERE stage IN ('lobby', 'playing') AND coalesce((guild_id >> 22) % :count, 0) BETWEEN :first AND :last
UNION ALL
SELECT id, game, guild_id, channel_id, guest, wakes_at, rules_version, 1 = 1 AS is_due,
    coalesce((guild_id >> 22) % :count, 0) AS shard, opened_at
FROM matches
WHERE end_unseen = 1 AND ended_at >= :ended_since
    AND coalesce((guild_id >> 22) % :count, 0) BETWEEN :first AND :last
ORDER BY opened_at, id;

-- name: match_stands^
SELECT version, stage FROM matches WHERE id = :match_id;

-- name: live_by_game
SELECT game, count(*) AS number FROM matches WHERE stage IN ('lobby', 'playing') GROUP BY game;

-- name: live_in_channel
SELECT id FROM matches WHERE channel_id = :channel_id AND stage IN ('lobby', 'playing') ORDER BY id;

-- name: live_in_server
SELECT id FROM matches WHERE guild_id = :guild_id AND stage IN ('lobby', 'playing') ORDER BY id;

-- name: live_seats_of
-- The live matches of a player.
SELECT m.id, m.guild_id, s.name FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id AND s.player_id = :player_id
WHERE m.stage IN ('lobby', 'playing') ORDER BY m.opened_at, m.id;

-- name: live_seats_in
-- The live matches of a player in a server.
SELECT m.id, m.guild_id, s.name FROM matches AS m
INNER JOIN seats AS s ON s.match_id = m.id AND s.player_id = :player_id
WHERE m.guild_id = :guild_id AND m.stage IN ('lobby', 'playing') ORDER BY m.id;

-- name: newest_at
SELECT id FROM matches WHERE place = :place AND followed = 0;

-- name: ended_in
-- The match that ended last in a channel.
SELECT id FROM matches WHERE channel_id = :channel_id AND ended_at IS NOT NULL
ORDER BY ended_at DESC LIMIT 1;

-- name: follow!
-- Marks the previous match of a place when another one is opened there.
UPDATE matches SET followed = 1 WHERE place = :place AND followed = 0;

-- name: add_match!
INSERT INTO matches (
    id, place, game, rules_version, guild_id, channel_id, host_id, seat_limit, options, day, deal, stage, seed,
    opened_at, turn_seconds, turn_ends_at, rests_since, wakes_at, guest, roster, active_at, secret, started_by,
    thinking_version, opened_by, shown
) VALUES (
    :id, :place, :game, :rules_version, :guild_id, :channel_id, :host_id, :seat_limit, :options, :day, :deal,
    :stage, :seed, :opened_at, :turn_seconds, :turn_ends_at, :rests_since, :wakes_at, :guest, :roster,
    :active_at, :secret, :started_by, :thinking_version, :opened_by, -1
);

-- name: add_seat!
INSERT INTO seats (match_id, seat, player_id, name, strength, bank, interaction)
VALUES (:match_id, :seat, :player_id, :name, :strength, :bank, :interaction);

-- name: clear_seats!
DELETE FROM seats WHERE match_id = :match_id;

-- name: set_clock!
-- Increments the version of a match if it is still the expected one. Every change of a match runs this
-- first.
UPDATE matches SET version = version + 1, turn_ends_at = :turn_ends_at, rests_since = :rests_since,
    stands_since = :stands_since, wakes_at = :wakes_at, active_at = :active_at, roster = :roster
WHERE id = :match_id AND version = :version;

-- name: stand_still!
-- Stops the running clocks of some shards at a given time or at a later move, and schedules a check of
-- each match. Messages of matches without time limits need no update.
UPDATE matches SET version = version + 1, wakes_at = :since,
    stands_since = CASE WHEN active_at > :since THEN active_at ELSE :since END,
    shown = CASE WHEN shown = version AND turn_ends_at IS NULL THEN version + 1 ELSE shown END
WHERE stage IN ('lobby', 'playing') AND stage = 'playing' AND rests_since IS NULL
    AND (turn_ends_at > :since OR (turn_seconds = 0 AND seat_limit > 1))
    AND (stands_since IS NULL OR stands_since > :since)
    AND coalesce((guild_id >> 22) % :count, 0) BETWEEN :first AND :last;

-- name: set_stage!
-- Separate from set_clock, because these columns are indexed.
UPDATE matches SET stage = :stage, host_id = :host_id, seed = :seed, ended_at = :ended_at,
    started_by = :started_by, thinking_version = :thinking_version, opened_by = :opened_by,
    unfinished = :unfinished, end_unseen = :end_unseen
WHERE id = :match_id;

-- name: set_place!
UPDATE matches SET place = :place, guild_id = :guild_id, channel_id = :channel_id, guest = :guest
WHERE id = :match_id;

-- name: set_shown!
UPDATE matches SET shown = :version, end_unseen = CASE WHEN version > :version THEN end_unseen ELSE 0 END
WHERE id = :match_id;

-- name: set_player!
UPDATE seats SET name = :name, missed = :missed, strength = :strength, bank = :bank
WHERE match_id = :match_id AND seat = :seat;

-- name: count_hint!
UPDATE seats SET hints = hints + 1, hinted_n = :n
WHERE match_id = :match_id AND seat = :seat AND hinted_n <> :n;

-- name: mark_viewed!
INSERT INTO viewed_deals (player_id, game, deal, at) VALUES (:player_id, :game, :deal, :at)
ON CONFLICT (player_id, game, deal) DO NOTHING;

-- name: times_viewed$
SELECT count(*) FROM viewed_deals WHERE player_id = :player_id AND game = :game AND deal = :deal;

-- name: entries_of
SELECT n, seat, text, at, choice, mover FROM moves WHERE match_id = :match_id AND n >= :after AND n < :before ORDER BY n;

-- name: entry^
SELECT n, seat, text, at, choice, mover FROM moves WHERE match_id = :match_id AND n = :n;

-- name: add_move!
INSERT INTO moves (match_id, n, seat, text, at, choice, mover)
VALUES (:match_id, :n, :seat, :text, :at, :choice, :mover);

-- name: add_result!
INSERT INTO results (match_id, seat, player_id, guild_id, game, won, played)
SELECT m.id, s.seat, s.player_id, m.guild_id, m.game, :won, :played
FROM matches AS m INNER JOIN seats AS s ON s.match_id = m.id
WHERE m.id = :match_id AND s.seat = :seat;

-- name: add_figure!
INSERT INTO figures (match_id, seat, key, value) VALUES (:match_id, :seat, :key, :value);
