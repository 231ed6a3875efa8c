-- The origin of a move, which is a player, the clock, the table or a computer player, which may be a
-- substitute. NULL for older moves.
ALTER TABLE moves ADD COLUMN mover TEXT;
