-- The number of live tables that one person may host in a server at a time, and an index to count them.
ALTER TABLE servers ADD COLUMN tables_each INTEGER NOT NULL DEFAULT 3;

CREATE INDEX live_matches_of_a_host ON matches (host_id) WHERE stage IN ('lobby', 'playing');
