-- name: put_post!
-- The same message keeps its posted_at.
INSERT INTO posts (match_id, spot, channel_id, message_id, posted_at)
VALUES (:match_id, :spot, :channel_id, :message_id, :at)
ON CONFLICT (match_id, spot) DO UPDATE
SET channel_id = excluded.channel_id, message_id = excluded.message_id,
    posted_at = CASE WHEN posts.message_id = excluded.message_id
        THEN posts.posted_at ELSE excluded.posted_at END;

-- name: keep_former_post!
-- Moves the message of a spot to another spot, unless it is the message that is about to be stored.
INSERT INTO posts (match_id, spot, channel_id, message_id, posted_at)
SELECT match_id, :former, channel_id, message_id, posted_at FROM posts
WHERE match_id = :match_id AND spot = :spot AND message_id <> :message_id
ON CONFLICT (match_id, spot) DO UPDATE
SET channel_id = excluded.channel_id, message_id = excluded.message_id, posted_at = excluded.posted_at;

-- name: clear_spot!
DELETE FROM posts WHERE match_id = :match_id AND spot = :spot;

-- name: move_post!
UPDATE posts SET spot = :other WHERE match_id = :match_id AND spot = :spot;

-- name: posts_of
SELECT spot AS slot, channel_id, message_id, posted_at FROM posts
WHERE match_id = :match_id ORDER BY spot;

-- name: remove_post!
DELETE FROM posts WHERE match_id = :match_id AND spot = :spot AND message_id = :message_id;

-- name: player^
SELECT dm_channel_id, dms_closed, locale, four_colours, name, user_name, told, night, text_table, zone, shows_totals
FROM players
WHERE player_id = :player_id;

-- name: names_of
-- The display names of a player in each server.
SELECT guild_id, name FROM names WHERE player_id = :player_id;

-- name: rename!
-- Replaces the former global name of a player wherever it is used.
UPDATE names SET name = :name WHERE player_id = :player_id AND name = :former;

-- name: rename_day_wins!
UPDATE day_wins SET name = :name WHERE player_id = :player_id AND name = :former;

-- name: put_day_name!
UPDATE day_wins SET name = :name WHERE player_id = :player_id AND guild_id = :guild_id AND name <> :name;

-- name: is_called!
INSERT INTO players (player_id, name, user_name) VALUES (:player_id, :name, :user_name)
ON CONFLICT (player_id) DO UPDATE SET name = excluded.name, user_name = excluded.user_name;

-- name: dms_open!
INSERT INTO players (player_id, dm_channel_id) VALUES (:player_id, :channel_id)
ON CONFLICT (player_id) DO UPDATE SET dm_channel_id = excluded.dm_channel_id, dms_closed = 0;

-- name: dms_closed!
-- Writes nothing if the DMs of the player were already closed.
INSERT INTO players (player_id, dms_closed) VALUES (:player_id, 1)
ON CONFLICT (player_id) DO UPDATE SET dms_closed = 1 WHERE players.dms_closed = 0;

-- name: opens!
-- Writes the row of a player without changing it. Of two concurrent transactions that write the same
-- row, PostgreSQL lets one fail. It is retried and then sees the match that the other has opened.
INSERT INTO players (player_id) VALUES (:player_id)
ON CONFLICT (player_id) DO UPDATE SET dms_closed = players.dms_closed;

-- name: speaks!
INSERT INTO players (player_id, locale) VALUES (:player_id, :locale)
ON CONFLICT (player_id) DO UPDATE SET locale = excluded.locale WHERE coalesce(players.locale, '') <> excluded.locale;

-- name: put_own!
INSERT INTO players (player_id, four_colours, text_table, told, night, zone, shows_totals)
VALUES (:player_id, :four_colours, :text_table, :told, :night, :zone, :shows_totals)
ON CONFLICT (player_id) DO UPDATE
SET four_colours = excluded.four_colours, text_table = excluded.text_table, told = excluded.told,
    night = excluded.night, zone = excluded.zone, shows_totals = excluded.shows_totals;

-- name: emojis
SELECT sign, name, emoji_id FROM emojis WHERE application_id = :application_id ORDER BY sign;

-- name: put_emoji!
INSERT INTO emojis (application_id, sign, name, emoji_id)
VALUES (:application_id, :sign, :name, :emoji_id)
ON CONFLICT (application_id, sign) DO UPDATE SET name = excluded.name, emoji_id = excluded.emoji_id;

-- name: learn!
-- Records that the host of a lesson has learned its game.
INSERT INTO learned (player_id, game, at)
SELECT m.host_id, m.game, :at FROM matches AS m WHERE m.id = :match_id
ON CONFLICT (player_id, game) DO NOTHING;

-- name: has_learned$
SELECT count(*) FROM learned WHERE player_id = :player_id AND game = :game;

-- name: has_reached$
-- Returns whether a player has ended a match with a figure above 0, or for an empty figure with a win.
SELECT EXISTS (
    SELECT 1 FROM results AS r
    LEFT JOIN figures AS f ON f.match_id = r.match_id AND f.seat = r.seat AND f.key = :goal
    WHERE r.player_id = :player_id AND r.game = :game AND (f.value > 0 OR (:goal = '' AND r.won = 1))
);

-- name: note^
SELECT value FROM notes WHERE key = :key;

-- name: notes_like
SELECT key, value FROM notes WHERE key LIKE :pattern;

-- name: put_note!
INSERT INTO notes (key, value) VALUES (:key, :value)
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: server^
SELECT turn_seconds, stoppers, channels, mentions, language, four_colours, tables_each, barred, text_tables,
    text_channels, watched_elsewhere
FROM servers
WHERE guild_id = :guild_id;

-- name: put_server!
INSERT INTO servers (
    guild_id, turn_seconds, stoppers, channels, mentions, language, four_colours, tables_each, barred,
    text_tables, text_channels, watched_elsewhere
)
VALUES (
    :guild_id, :turn_seconds, :stoppers, :channels, :mentions, :language, :four_colours, :tables_each, :barred,
    :text_tables, :text_channels, :watched_elsewhere
)
ON CONFLICT (guild_id) DO UPDATE
SET turn_seconds = excluded.turn_seconds, stoppers = excluded.stoppers, channels = excluded.channels,
    mentions = excluded.mentions, language = excluded.language, four_colours = excluded.four_colours,
    tables_each = excluded.tables_each, barred = excluded.barred, text_tables = excluded.text_tables,
    text_channels = excluded.text_channels,
    watched_elsewhere = excluded.watched_elsewhere;

-- name: remove_note!
DELETE FROM notes WHERE key = :key;
