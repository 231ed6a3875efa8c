-- Leaderboard totals, updated by the transaction that ends a match. A guild_id of 0 is the total of all
-- servers and DMs.

CREATE TABLE totals (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, player_id)
) STRICT, WITHOUT ROWID;

INSERT INTO totals
SELECT guild_id, game, player_id, count(*), sum(won) FROM results
WHERE guild_id IS NOT NULL GROUP BY guild_id, game, player_id;

INSERT INTO totals
SELECT 0, game, player_id, count(*), sum(won) FROM results GROUP BY game, player_id;

CREATE INDEX totals_by_rank ON totals (guild_id, game, wins DESC, matches, player_id);
CREATE INDEX totals_of_a_player ON totals (player_id, guild_id, game);

CREATE TABLE total_figures (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, player_id, key)
) STRICT, WITHOUT ROWID;

INSERT INTO total_figures
SELECT r.guild_id, r.game, r.player_id, f.key, sum(f.value) FROM results AS r
INNER JOIN figures AS f ON f.match_id = r.match_id AND f.seat = r.seat
WHERE r.guild_id IS NOT NULL GROUP BY r.guild_id, r.game, r.player_id, f.key;

INSERT INTO total_figures
SELECT 0, r.game, r.player_id, f.key, sum(f.value) FROM results AS r
INNER JOIN figures AS f ON f.match_id = r.match_id AND f.seat = r.seat
GROUP BY r.game, r.player_id, f.key;

-- The number of players with equal results, so that a rank or a page is found without counting players.
CREATE TABLE ties (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    wins INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    players INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, wins, matches)
) STRICT, WITHOUT ROWID;

INSERT INTO ties
SELECT guild_id, game, wins, matches, count(*) FROM totals GROUP BY guild_id, game, wins, matches;

-- A player's name in their latest match.
CREATE TABLE names (
    guild_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (guild_id, player_id)
) STRICT, WITHOUT ROWID;

INSERT INTO names
SELECT guild_id, player_id, name FROM (
    SELECT r.guild_id, r.player_id, s.name, row_number() OVER (
        PARTITION BY r.guild_id, r.player_id ORDER BY m.ended_at DESC, m.rowid DESC
    ) AS age
    FROM results AS r
    INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
    INNER JOIN matches AS m ON m.id = r.match_id
    WHERE r.guild_id IS NOT NULL
) WHERE age = 1;

INSERT INTO names
SELECT 0, player_id, name FROM (
    SELECT r.player_id, s.name, row_number() OVER (
        PARTITION BY r.player_id ORDER BY m.ended_at DESC, m.rowid DESC
    ) AS age
    FROM results AS r
    INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
    INNER JOIN matches AS m ON m.id = r.match_id
) WHERE age = 1;

-- The day whose deal the match is, or 0 for other deals. Each player can play the deal of a day once.
ALTER TABLE matches ADD COLUMN day INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET day = json_extract(options, '$.daily') WHERE json_extract(options, '$.daily') > 0;
DROP INDEX one_try_a_day;
CREATE UNIQUE INDEX one_try_a_day ON matches (host_id, day) WHERE day > 0;

-- Wins of daily deals. A win without a guild_id was in DMs.
CREATE TABLE day_wins (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    match_id TEXT NOT NULL REFERENCES matches (id),
    guild_id INTEGER,
    name TEXT NOT NULL,
    moves INTEGER NOT NULL,
    undos INTEGER NOT NULL,
    seconds INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    PRIMARY KEY (player_id, game, day, match_id)
) STRICT, WITHOUT ROWID;

INSERT INTO day_wins
SELECT r.player_id, r.game, m.day, m.id, r.guild_id, s.name,
    coalesce((SELECT value FROM figures AS f
        WHERE f.match_id = r.match_id AND f.seat = r.seat AND f.key = 'moves'), 0),
    coalesce((SELECT value FROM figures AS f
        WHERE f.match_id = r.match_id AND f.seat = r.seat AND f.key = 'undos'), 0),
    m.ended_at - m.opened_at, m.ended_at
FROM matches AS m
INNER JOIN results AS r ON r.match_id = m.id
INNER JOIN seats AS s ON s.match_id = r.match_id AND s.seat = r.seat
WHERE m.day > 0 AND r.won = 1;

-- The number of a day's winners in a server with a given number of moves.
CREATE TABLE day_ties (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    players INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, day, moves)
) STRICT, WITHOUT ROWID;

INSERT INTO day_ties
SELECT guild_id, game, day, moves, count(*) FROM day_wins
WHERE guild_id IS NOT NULL GROUP BY guild_id, game, day, moves;

CREATE INDEX day_wins_by_rank ON day_wins (guild_id, game, day, moves, seconds, ended_at, player_id);

-- The leaderboards no longer read single results.
DROP INDEX results_of_a_server;
DROP INDEX results_of_a_player;
