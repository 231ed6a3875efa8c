-- Only the code that updates a message knows the state that it shows.
ALTER TABLE posts DROP COLUMN shown;
