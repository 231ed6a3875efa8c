-- The id that Discord gave to the interaction by which a table was opened. What it is dealt by is bound to its
-- secret, beside the ids; where it has none, it is from before, and the ids alone are.
ALTER TABLE matches ADD COLUMN opened_by INTEGER NOT NULL DEFAULT 0;
