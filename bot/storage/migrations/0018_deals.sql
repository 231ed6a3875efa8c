-- The number of the deal that a match is its player's own try of; 0 for one that was gone back to.
ALTER TABLE matches ADD COLUMN deal INTEGER NOT NULL DEFAULT 0;

UPDATE matches SET deal = json_extract(options, '$.deal')
WHERE json_extract(options, '$.deal') > 0 AND coalesce(json_extract(options, '$.again'), 0) = 0;

CREATE INDEX tries_of_a_deal ON matches (host_id, deal) WHERE deal > 0;
