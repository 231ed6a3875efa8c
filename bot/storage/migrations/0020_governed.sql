-- Who may do what at a table beside playing, as JSON: lists of players by what they are; when a move was
-- made last, or the host of a lobby did something; and the time that a player has left for the match.
ALTER TABLE matches ADD COLUMN roster TEXT NOT NULL DEFAULT '{}';
ALTER TABLE matches ADD COLUMN active_at INTEGER;
ALTER TABLE seats ADD COLUMN bank INTEGER NOT NULL DEFAULT 0;

UPDATE matches
SET active_at = coalesce((SELECT max(v.at) FROM moves AS v WHERE v.match_id = matches.id), opened_at)
WHERE stage IN ('lobby', 'playing');

-- People who may not sit down at a server's tables.
ALTER TABLE servers ADD COLUMN barred TEXT NOT NULL DEFAULT '[]';
