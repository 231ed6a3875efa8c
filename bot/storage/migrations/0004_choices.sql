-- What was clicked for a move, so that a doubled click is known for one without folding the match.
-- A move of before has none.

ALTER TABLE moves ADD COLUMN choice TEXT;
