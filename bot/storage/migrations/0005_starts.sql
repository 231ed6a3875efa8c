-- What a start has to know: when a table next has to be looked at, and whether its messages were right
-- after its last change. `version` counts the changes of a match, `shown` says after how many of them
-- its messages were last right. A live match of before is looked at and shown once.

ALTER TABLE matches ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN wakes_at INTEGER;
UPDATE matches SET shown = -1, wakes_at = 0 WHERE stage IN ('lobby', 'playing');

CREATE INDEX live_matches ON matches (opened_at, id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_channel ON matches (channel_id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_server ON matches (guild_id) WHERE stage IN ('lobby', 'playing');

-- What a message shows, in the words of who keeps it up to date.
ALTER TABLE posts ADD COLUMN shown TEXT;
