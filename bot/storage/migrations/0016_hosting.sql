-- How many live tables one person may host in a server at a time; and what somebody hosts is looked for.
ALTER TABLE servers ADD COLUMN tables_each INTEGER NOT NULL DEFAULT 3;

CREATE INDEX live_matches_of_a_host ON matches (host_id) WHERE stage IN ('lobby', 'playing');
