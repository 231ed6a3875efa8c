-- By whose clock a player's night begins: a time zone by its name, none for UTC, as all nights were until now.
ALTER TABLE players ADD COLUMN zone TEXT;
