-- The deal of each day, stored at the first request and never changed. Days that began before a secret
-- decided the deal keep theirs.
CREATE TABLE days (
    game TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    deal BIGINT NOT NULL,
    par BIGINT NOT NULL,
    PRIMARY KEY (game, day)
);

CREATE INDEX days_of_a_deal ON days (game, deal);

INSERT INTO days
SELECT DISTINCT ON (game, day)
    game, day, (options::json ->> 'deal')::bigint, coalesce((options::json ->> 'par')::bigint, 0)
FROM matches WHERE day > 0 ORDER BY game, day, opened_at, id;

DELETE FROM notes WHERE key LIKE 'deal of the day %';

-- Wins of daily deals, with a row for each server whose leaderboard shows the win. The guild_id of a win
-- in DMs is 0. A win with a hint or a peek is ``helped``, and ranks below all others.
ALTER TABLE day_wins DROP CONSTRAINT day_wins_pkey;
UPDATE day_wins SET guild_id = 0 WHERE guild_id IS NULL;
ALTER TABLE day_wins ALTER COLUMN guild_id SET NOT NULL;
ALTER TABLE day_wins ADD COLUMN helped BIGINT NOT NULL DEFAULT 0;
ALTER TABLE day_wins ADD PRIMARY KEY (player_id, game, day, match_id, guild_id);

UPDATE day_wins SET helped = 1 WHERE EXISTS (
    SELECT 1 FROM moves AS o WHERE o.match_id = day_wins.match_id
    AND (o.text LIKE 'hint: %' OR o.text LIKE 'peek: %' OR o.text LIKE 'winnable %')
);

DROP INDEX day_wins_by_rank;
CREATE INDEX day_wins_by_rank
ON day_wins (guild_id, game, day, helped, moves, seconds, ended_at, player_id);

-- The number of a day's winners in a server with a given number of moves, with or without help.
DROP TABLE day_ties;
CREATE TABLE day_ties (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    helped BIGINT NOT NULL,
    moves BIGINT NOT NULL,
    players BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, day, helped, moves)
);

INSERT INTO day_ties
SELECT guild_id, game, day, helped, moves, count(*) FROM day_wins
WHERE guild_id > 0 GROUP BY guild_id, game, day, helped, moves;
