-- A match is a row, its seats, and its numbered moves. All other data is derived from these or stored
-- beside them. All times are Unix times.

CREATE TABLE matches (
    id TEXT PRIMARY KEY,
    place TEXT NOT NULL,
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    guild_id INTEGER,
    channel_id INTEGER NOT NULL,
    host_id INTEGER NOT NULL,
    seat_limit INTEGER NOT NULL,
    options TEXT NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('lobby', 'playing', 'finished', 'stopped')),
    seed BLOB,
    opened_at INTEGER NOT NULL DEFAULT (unixepoch()),
    ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX one_live_match_a_place ON matches (place) WHERE stage IN ('lobby', 'playing');

-- Each player can play the deal of a day once.
CREATE UNIQUE INDEX one_try_a_day ON matches (host_id, json_extract(options, '$.daily'))
WHERE json_extract(options, '$.daily') > 0;

CREATE TABLE seats (
    match_id TEXT NOT NULL REFERENCES matches (id),
    seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (match_id, seat),
    UNIQUE (match_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE moves (
    match_id TEXT NOT NULL REFERENCES matches (id),
    n INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    text TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT (unixepoch()),
    PRIMARY KEY (match_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE results (
    match_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    guild_id INTEGER,
    game TEXT NOT NULL,
    won INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat),
    FOREIGN KEY (match_id, seat) REFERENCES seats (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX results_of_a_server ON results (guild_id, game, player_id);
CREATE INDEX results_of_a_player ON results (player_id);

CREATE TABLE figures (
    match_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    key TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (match_id, seat, key),
    FOREIGN KEY (match_id, seat) REFERENCES results (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE posts (
    match_id TEXT NOT NULL REFERENCES matches (id),
    spot TEXT NOT NULL,
    channel_id INTEGER NOT NULL,
    message_id INTEGER NOT NULL,
    posted_at INTEGER NOT NULL DEFAULT (unixepoch()),
    PRIMARY KEY (match_id, spot)
) STRICT, WITHOUT ROWID;

CREATE TABLE players (
    player_id INTEGER PRIMARY KEY,
    dm_channel_id INTEGER,
    dms_closed INTEGER NOT NULL DEFAULT 0,
    locale TEXT
) STRICT;

CREATE TABLE notes (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
