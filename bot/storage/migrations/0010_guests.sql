-- Whether Ribit can only answer where a match stands: in a server that it is not in, or in a group DM.
ALTER TABLE matches ADD COLUMN guest INTEGER NOT NULL DEFAULT 0;
