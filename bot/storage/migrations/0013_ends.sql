-- Whether a match has ended and its messages may not say so yet: the next start shows it. It is a column
-- of its own, as PostgreSQL writes to every index of a row at a change of what one of them goes by, and
-- `version` changes with every move.
ALTER TABLE matches ADD COLUMN end_unseen INTEGER NOT NULL DEFAULT 0;

CREATE INDEX unseen_ends ON matches (ended_at) WHERE end_unseen = 1;
