-- What is asked for when a person or a server is to be forgotten.
CREATE INDEX seats_of_a_player ON seats (player_id);
CREATE INDEX ended_matches_of_a_host ON matches (host_id) WHERE stage IN ('finished', 'stopped');
CREATE INDEX ended_matches_of_a_server ON matches (guild_id) WHERE stage IN ('finished', 'stopped');

-- Who may do what at a table is of no use once it is over.
UPDATE matches SET roster = '{}' WHERE stage IN ('finished', 'stopped') AND roster <> '{}';

-- Servers that took the bot out, and when: so long after that they are forgotten.
CREATE TABLE departures (
    guild_id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Since when no leaderboard has shown a name: so long after that it is forgotten.
ALTER TABLE names ADD COLUMN unshown_since INTEGER;
ALTER TABLE players ADD COLUMN unshown_since INTEGER;
