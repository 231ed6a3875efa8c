-- A rank is counted among the players who stand there: nothing that all share changes with each match.
DROP TABLE ties;
DROP TABLE day_ties;
