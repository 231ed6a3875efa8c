-- Days of duels. The first try of a day stores the versions of the rules and the computer players, which
-- decide all its boards. The field has the scores of computer players, separated by spaces.
CREATE TABLE duel_days (
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    rules INTEGER NOT NULL,
    thinking INTEGER NOT NULL,
    field TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, day)
) STRICT, WITHOUT ROWID;

-- A player's only try of a day's duels, begun in a server. The scores are 2, 1 or 0 for each finished
-- board that was won, drawn or lost. The try ends with the last board.
CREATE TABLE duel_tries (
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    scores TEXT NOT NULL DEFAULT '',
    begun_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (game, day, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX duel_tries_by_scores ON duel_tries (game, day, guild_id, scores, ended_at, player_id);
CREATE INDEX duel_tries_of_a_player ON duel_tries (player_id, game, day);

-- The number of finished tries with the same scores, in a server, and in all servers as server 0.
CREATE TABLE duel_counts (
    game TEXT NOT NULL,
    day INTEGER NOT NULL,
    guild_id INTEGER NOT NULL,
    scores TEXT NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (game, day, guild_id, scores)
) STRICT, WITHOUT ROWID;
