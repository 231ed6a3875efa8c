-- Data for a start of the bot. `version` counts the changes of a match, and `shown` is the version that
-- its messages last showed. `wakes_at` is the Unix time at which the match must be checked next. All
-- live matches are checked and shown once after this migration.

ALTER TABLE matches ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN wakes_at INTEGER;
UPDATE matches SET shown = -1, wakes_at = 0 WHERE stage IN ('lobby', 'playing');

CREATE INDEX live_matches ON matches (opened_at, id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_channel ON matches (channel_id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_server ON matches (guild_id) WHERE stage IN ('lobby', 'playing');

-- The state that a message shows, in the format of the code that updates it.
ALTER TABLE posts ADD COLUMN shown TEXT;
