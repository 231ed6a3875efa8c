-- What a message shows is known by whoever keeps it up to date, and by nobody else.
ALTER TABLE posts DROP COLUMN shown;
