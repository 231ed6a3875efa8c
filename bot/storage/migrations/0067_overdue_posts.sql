-- Version 2.0.0 planned no daily post for a server that left out the deal of the day. A post that is long
-- overdue is skipped, and the next one is planned.
INSERT INTO regular_posts (
    guild_id, slot, day, channel_id, message_id, asked_at, edited_at, is_open, digest, wakes_at
)
SELECT s.guild_id, 'daily', 20260101, s.channel_id, NULL, 0, 0, 1, 0, 0 FROM post_settings AS s
WHERE s.is_on = 1 AND s.left_out LIKE '%"daily"%' AND NOT EXISTS (
    SELECT 1 FROM regular_posts AS p WHERE p.guild_id = s.guild_id AND p.slot = 'daily' AND p.asked_at = 0
);
