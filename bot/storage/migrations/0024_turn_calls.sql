-- The way in which a player is notified of a turn, and the UTC hour at which their quiet hours begin.
ALTER TABLE players ADD COLUMN told TEXT NOT NULL DEFAULT 'away';
ALTER TABLE players ADD COLUMN night INTEGER;
