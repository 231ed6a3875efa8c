-- The Unix time since which a match cannot be played and its clock is stopped, or NULL while it can.
ALTER TABLE matches ADD COLUMN stands_since INTEGER;
