-- name: post_settings^
SELECT * FROM post_settings WHERE guild_id = :guild_id;

-- name: drop_post_settings!
DELETE FROM post_settings WHERE guild_id = :guild_id;

-- name: add_post_settings!
INSERT INTO post_settings (
    guild_id, channel_id, hour, zone, left_out, admin_id, is_on, played_at, error
) VALUES (
    :guild_id, :channel_id, :hour, :zone, :left_out, :admin_id, :is_on, :played_at, :error
);

-- name: posts_of_server
SELECT * FROM regular_posts WHERE guild_id = :guild_id ORDER BY slot, day;

-- name: due_posts
SELECT * FROM regular_posts
WHERE wakes_at <= :now AND coalesce((guild_id >> 22) % :count, 0) BETWEEN :first AND :last
ORDER BY wakes_at, guild_id LIMIT :limit;

-- name: next_post_wakes_at$
SELECT wakes_at FROM regular_posts
WHERE wakes_at > :now AND coalesce((guild_id >> 22) % :count, 0) BETWEEN :first AND :last
ORDER BY wakes_at LIMIT 1;

-- name: add_regular_post!
INSERT INTO regular_posts (
    guild_id, slot, day, channel_id, message_id, asked_at, edited_at, is_open, digest, wakes_at
) VALUES (
    :guild_id, :slot, :day, :channel_id, :message_id, :asked_at, :edited_at, :is_open, :digest, :wakes_at
);

-- name: drop_regular_post!
DELETE FROM regular_posts WHERE guild_id = :guild_id AND slot = :slot AND day = :day;

-- name: own_data_post_settings
SELECT guild_id FROM post_settings WHERE admin_id = :player_id ORDER BY guild_id;

-- name: forget_player_post_settings!
UPDATE post_settings SET admin_id = 0 WHERE guild_id = :guild_id AND admin_id = :player_id;

-- name: forget_player_regular_posts!
-- Posts may name the player, so they are edited soon. If an edit is in progress, the new value must differ from
-- the one with which that edit began. Otherwise, the end of that edit would replace it.
UPDATE regular_posts SET wakes_at = CASE WHEN wakes_at <= 0 THEN wakes_at - 1 ELSE 0 END
WHERE guild_id = :guild_id AND asked_at > 0;

-- name: forget_server_post_settings!
DELETE FROM post_settings WHERE guild_id = :guild_id AND :is_gone = 1;

-- name: forget_server_regular_posts!
DELETE FROM regular_posts WHERE guild_id = :guild_id AND :is_gone = 1;

-- name: forget_server_regular_posts_names!
-- See forget_player_regular_posts.
UPDATE regular_posts SET wakes_at = CASE WHEN wakes_at <= 0 THEN wakes_at - 1 ELSE 0 END
WHERE guild_id = :guild_id AND asked_at > 0;

-- name: wake_post!
UPDATE regular_posts SET wakes_at = :at
WHERE guild_id = :guild_id AND slot = :slot AND message_id IS NOT NULL;
