-- Time limits of turns. All times are Unix times. Older matches have no limit and so no clock.

ALTER TABLE matches ADD COLUMN turn_seconds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN turn_ends_at INTEGER;
ALTER TABLE matches ADD COLUMN rests_since INTEGER;
ALTER TABLE matches ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
