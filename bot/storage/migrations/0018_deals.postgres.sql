-- The number of the deal that a match is its player's own try of; 0 for one that was gone back to.
ALTER TABLE matches ADD COLUMN deal BIGINT NOT NULL DEFAULT 0;

UPDATE matches SET deal = (options::json ->> 'deal')::bigint
WHERE (options::json ->> 'deal')::bigint > 0 AND coalesce(options::json ->> 'again', '0') = '0';

CREATE INDEX tries_of_a_deal ON matches (host_id, deal) WHERE deal > 0;
