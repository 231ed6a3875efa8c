-- How a player wants to be told of the turn, and at which hour of UTC the night begins without calls.
ALTER TABLE players ADD COLUMN told TEXT NOT NULL DEFAULT 'away';
ALTER TABLE players ADD COLUMN night INTEGER;
