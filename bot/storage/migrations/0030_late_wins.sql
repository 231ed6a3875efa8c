-- Whether a daily deal was won after its day, which ranks below all wins on the day. A match begins on
-- its day.
ALTER TABLE day_wins ADD COLUMN late INTEGER NOT NULL DEFAULT 0;
UPDATE day_wins SET late = 1 WHERE ended_at / 86400 > (ended_at - seconds) / 86400;

DROP INDEX day_wins_by_rank;
CREATE INDEX day_wins_by_rank
ON day_wins (guild_id, game, day, late, helped, moves, seconds, ended_at, player_id);

DROP TABLE day_ties;
CREATE TABLE day_ties (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    late INTEGER NOT NULL,
    helped INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    players INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, day, late, helped, moves)
) STRICT, WITHOUT ROWID;

INSERT INTO day_ties
SELECT guild_id, game, day, late, helped, moves, count(*) FROM day_wins
WHERE guild_id > 0 GROUP BY guild_id, game, day, late, helped, moves;
