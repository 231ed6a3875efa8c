-- The deal of each day, stored at the first request and never changed. Days that began before a secret
-- decided the deal keep theirs.
CREATE TABLE days (
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    deal INTEGER NOT NULL,
    par INTEGER NOT NULL,
    PRIMARY KEY (game, day)
) STRICT, WITHOUT ROWID;

CREATE INDEX days_of_a_deal ON days (game, deal);

INSERT INTO days
SELECT game, day, json_extract(options, '$.deal'), coalesce(json_extract(options, '$.par'), 0) FROM (
    SELECT game, day, options, row_number() OVER (PARTITION BY game, day ORDER BY opened_at, id) AS place
    FROM matches WHERE day > 0
) WHERE place = 1;

DELETE FROM notes WHERE key LIKE 'deal of the day %';

-- Wins of daily deals, with a row for each server whose leaderboard shows the win. The guild_id of a win
-- in DMs is 0. A win with a hint or a peek is ``helped``, and ranks below all others.
CREATE TABLE day_wins_of_places (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    match_id TEXT NOT NULL REFERENCES matches (id),
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    moves INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    helped INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (player_id, game, day, match_id, guild_id)
) STRICT, WITHOUT ROWID;

INSERT INTO day_wins_of_places
SELECT w.player_id, w.game, w.day, w.match_id, coalesce(w.guild_id, 0), w.name, w.moves, w.undos, w.seconds,
    w.ended_at, EXISTS (
        SELECT 1 FROM moves AS o WHERE o.match_id = w.match_id
        AND (o.text LIKE 'hint: %' OR o.text LIKE 'peek: %' OR o.text LIKE 'winnable %')
    )
FROM day_wins AS w;

DROP TABLE day_wins;
ALTER TABLE day_wins_of_places RENAME TO day_wins;

CREATE INDEX day_wins_by_rank
ON day_wins (guild_id, game, day, helped, moves, seconds, ended_at, player_id);

-- The number of a day's winners in a server with a given number of moves, with or without help.
DROP TABLE day_ties;
CREATE TABLE day_ties (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    helped INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    players INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, day, helped, moves)
) STRICT, WITHOUT ROWID;

INSERT INTO day_ties
SELECT guild_id, game, day, helped, moves, count(*) FROM day_wins
WHERE guild_id > 0 GROUP BY guild_id, game, day, helped, moves;
