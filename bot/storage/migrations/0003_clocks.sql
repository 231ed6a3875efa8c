-- Turns with a time limit. Times are seconds since 1970; a match of before has no limit, so no clock.

ALTER TABLE matches ADD COLUMN turn_seconds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN turn_ends_at INTEGER;
ALTER TABLE matches ADD COLUMN rests_since INTEGER;
ALTER TABLE matches ADD COLUMN unfinished INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seats ADD COLUMN missed INTEGER NOT NULL DEFAULT 0;
