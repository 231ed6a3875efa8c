-- Whether the buttons of a player at tables that count spots state the totals after a move.
ALTER TABLE players ADD COLUMN shows_totals INTEGER NOT NULL DEFAULT 1;
