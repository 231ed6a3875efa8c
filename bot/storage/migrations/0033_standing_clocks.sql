-- Since when a match cannot be played, so that its clock stands still; null while it can.
ALTER TABLE matches ADD COLUMN stands_since INTEGER;
