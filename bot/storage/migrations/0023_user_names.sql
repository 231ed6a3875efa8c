-- A player's global display name and user name. The display name in each server is in `names`.
ALTER TABLE players ADD COLUMN name TEXT;
ALTER TABLE players ADD COLUMN user_name TEXT;

CREATE INDEX names_of_a_player ON names (player_id);
