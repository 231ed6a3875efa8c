-- Who made a move: a player, the clock, the table, or a frog, and in whose place. A move of before does not say.
ALTER TABLE moves ADD COLUMN mover TEXT;
