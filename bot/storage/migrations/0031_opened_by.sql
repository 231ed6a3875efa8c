-- The ID of the interaction that opened a table. The seed is derived from the secret, the terms of the
-- match and the IDs of all interactions. Older matches have 0 here, and seeds that do not depend on the
-- terms.
ALTER TABLE matches ADD COLUMN opened_by INTEGER NOT NULL DEFAULT 0;
