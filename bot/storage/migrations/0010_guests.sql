-- Whether the bot can only answer interactions at the place of a match, such as a group DM or a server
-- that it is not a member of.
ALTER TABLE matches ADD COLUMN guest INTEGER NOT NULL DEFAULT 0;
