-- Ranks are now counted from the players' own rows, so that a match updates no row shared by all
-- players.
DROP TABLE ties;
DROP TABLE day_ties;
