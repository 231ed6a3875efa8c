-- Whether a match has ended and its messages may not show that yet. The next start updates them. An
-- index on `version` instead would make PostgreSQL update every index of the row with each move.
ALTER TABLE matches ADD COLUMN end_unseen INTEGER NOT NULL DEFAULT 0;

CREATE INDEX unseen_ends ON matches (ended_at) WHERE end_unseen = 1;
