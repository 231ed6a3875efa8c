-- Delete rows without players, which each match of a frequent player had left.
DELETE FROM ties WHERE players = 0;
