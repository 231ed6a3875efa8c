-- The number of the deal if the match may be the first attempt of its player, or 0 if it was dealt again.
ALTER TABLE matches ADD COLUMN deal INTEGER NOT NULL DEFAULT 0;

UPDATE matches SET deal = json_extract(options, '$.deal')
WHERE json_extract(options, '$.deal') > 0 AND coalesce(json_extract(options, '$.again'), 0) = 0;

CREATE INDEX tries_of_a_deal ON matches (host_id, deal) WHERE deal > 0;
