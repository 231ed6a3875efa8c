-- What a match's deal can be verified by: the secret that its table showed a commitment to, the ids that Discord
-- gave to the interactions by which people sat down and it was started, and whose moves a computer player's are.
-- Matches from before have none.
ALTER TABLE matches ADD COLUMN secret BLOB;
ALTER TABLE matches ADD COLUMN started_by INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN thinking_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN interaction INTEGER NOT NULL DEFAULT 0;

-- Whether a day's deal was decided by what the commitment of the day before was to.
ALTER TABLE days ADD COLUMN committed INTEGER NOT NULL DEFAULT 0;

CREATE INDEX ended_matches_of_a_channel ON matches (channel_id, ended_at) WHERE ended_at IS NOT NULL;
