-- The name of the time zone of a player's quiet hours. NULL means UTC, which applied to all before.
ALTER TABLE players ADD COLUMN zone TEXT;
