-- The roster of a match as JSON, with lists of player IDs by role. The Unix time of the last move, or of
-- the last action of the host in a lobby. The seconds that a player has left for the match.
ALTER TABLE matches ADD COLUMN roster TEXT NOT NULL DEFAULT '{}';
ALTER TABLE matches ADD COLUMN active_at INTEGER;
ALTER TABLE seats ADD COLUMN bank INTEGER NOT NULL DEFAULT 0;

UPDATE matches
SET active_at = coalesce((SELECT max(v.at) FROM moves AS v WHERE v.match_id = matches.id), opened_at)
WHERE stage IN ('lobby', 'playing');

-- People who are banned from a server's tables.
ALTER TABLE servers ADD COLUMN barred TEXT NOT NULL DEFAULT '[]';
