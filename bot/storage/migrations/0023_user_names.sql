-- What a player is called: everywhere, and by the user name; each server's own name is among the names.
ALTER TABLE players ADD COLUMN name TEXT;
ALTER TABLE players ADD COLUMN user_name TEXT;

CREATE INDEX names_of_a_player ON names (player_id);
