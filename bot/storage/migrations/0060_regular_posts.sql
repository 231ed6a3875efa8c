-- The daily post of a server, and what else it has posted regularly.
CREATE TABLE post_settings (
    guild_id INTEGER NOT NULL PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    hour INTEGER NOT NULL,
    zone TEXT NOT NULL,
    left_out TEXT NOT NULL,
    admin_id INTEGER NOT NULL,
    is_on INTEGER NOT NULL,
    played_at INTEGER NOT NULL,
    error TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Posts that are planned, being sent or sent. The day is the server's, such as 20261121, so that no day
-- has two. A planned post has an asked_at of 0, and a post has no message_id until Discord has sent it.
CREATE TABLE regular_posts (
    guild_id INTEGER NOT NULL,
    slot TEXT NOT NULL,
    day INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    asked_at INTEGER NOT NULL,
    edited_at INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    wakes_at INTEGER,
    PRIMARY KEY (guild_id, slot, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX posts_by_time ON regular_posts (wakes_at, guild_id) WHERE wakes_at IS NOT NULL;

-- The matches of a week in a server are found by their end.
DROP INDEX ended_matches_of_a_server;
CREATE INDEX ended_matches_of_a_server ON matches (guild_id, ended_at) WHERE stage IN ('finished', 'stopped');
