-- Data to verify the deal of a match. It has the secret of the commitment shown at the table, the IDs of
-- the interactions by which people joined and started the match, and the version of the computer
-- players' code. Older matches have none.
ALTER TABLE matches ADD COLUMN secret BLOB;
ALTER TABLE matches ADD COLUMN started_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN thinking_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN interaction INTEGER NOT NULL DEFAULT 0;

-- Whether the deal of a day was decided by the secret of the previous day's commitment.
ALTER TABLE days ADD COLUMN committed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX ended_matches_of_a_channel ON matches (channel_id, ended_at) WHERE ended_at IS NOT NULL;
