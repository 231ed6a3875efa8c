-- Whether another match was opened at the same place since. Only the last match there offers a rematch.
ALTER TABLE matches ADD COLUMN followed INTEGER NOT NULL DEFAULT 0;

UPDATE matches SET followed = 1 WHERE rowid NOT IN (SELECT max(rowid) FROM matches GROUP BY place);

CREATE INDEX newest_match_of_a_place ON matches (place) WHERE followed = 0;
