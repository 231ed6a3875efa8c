-- The choice that was clicked for a move, so that a double click is recognised without replaying the
-- match. Older moves have none.

ALTER TABLE moves ADD COLUMN choice TEXT;
