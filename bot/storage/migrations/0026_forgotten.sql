-- Indexes for forgetting a person or a server.
CREATE INDEX seats_of_a_player ON seats (player_id);
CREATE INDEX ended_matches_of_a_host ON matches (host_id) WHERE stage IN ('finished', 'stopped');
CREATE INDEX ended_matches_of_a_server ON matches (guild_id) WHERE stage IN ('finished', 'stopped');

-- Finished matches need no roster.
UPDATE matches SET roster = '{}' WHERE stage IN ('finished', 'stopped') AND roster <> '{}';

-- Servers that removed the bot, with the Unix time. They are forgotten some time later.
CREATE TABLE departures (
    guild_id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- The Unix time since which no leaderboard has shown a name. It is forgotten some time later.
ALTER TABLE names ADD COLUMN unshown_since INTEGER;
ALTER TABLE players ADD COLUMN unshown_since INTEGER;
