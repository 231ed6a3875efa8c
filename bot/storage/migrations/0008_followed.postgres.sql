-- The result of the first eight migrations, for PostgreSQL. Ribit has supported it since the eighth, so
-- there is no older data to convert. All times are Unix times. A guild_id of 0 is the total of all
-- servers and DMs.

CREATE TABLE matches (
    id TEXT COLLATE "C" PRIMARY KEY,
    place TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    rules_version BIGINT NOT NULL,
    guild_id BIGINT,
    channel_id BIGINT NOT NULL,
    host_id BIGINT NOT NULL,
    seat_limit BIGINT NOT NULL,
    options TEXT COLLATE "C" NOT NULL,
    stage TEXT COLLATE "C" NOT NULL CHECK (stage IN ('lobby', 'playing', 'finished', 'stopped')),
    seed BYTEA,
    opened_at BIGINT NOT NULL,
    ended_at BIGINT,
    turn_seconds BIGINT NOT NULL DEFAULT 0,
    turn_ends_at BIGINT,
    rests_since BIGINT,
    unfinished BIGINT NOT NULL DEFAULT 0,
    version BIGINT NOT NULL DEFAULT 0,
    shown BIGINT NOT NULL DEFAULT 0,
    wakes_at BIGINT,
    day BIGINT NOT NULL DEFAULT 0,
    followed BIGINT NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX one_live_match_a_place ON matches (place) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches ON matches (opened_at, id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_channel ON matches (channel_id) WHERE stage IN ('lobby', 'playing');
CREATE INDEX live_matches_of_a_server ON matches (guild_id) WHERE stage IN ('lobby', 'playing');
CREATE UNIQUE INDEX one_try_a_day ON matches (host_id, day) WHERE day > 0;
CREATE INDEX newest_match_of_a_place ON matches (place) WHERE followed = 0;

CREATE TABLE seats (
    match_id TEXT COLLATE "C" NOT NULL REFERENCES matches (id),
    seat BIGINT NOT NULL,
    player_id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    missed BIGINT NOT NULL DEFAULT 0,
    strength TEXT COLLATE "C" CHECK (strength IN ('tadpole', 'froglet', 'toad')),
    hints BIGINT NOT NULL DEFAULT 0,
    hinted_n BIGINT NOT NULL DEFAULT -1,
    PRIMARY KEY (match_id, seat),
    UNIQUE (match_id, player_id)
);

CREATE TABLE moves (
    match_id TEXT COLLATE "C" NOT NULL REFERENCES matches (id),
    n BIGINT NOT NULL,
    seat BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    choice TEXT COLLATE "C",
    PRIMARY KEY (match_id, n)
);

CREATE TABLE results (
    match_id TEXT COLLATE "C" NOT NULL,
    seat BIGINT NOT NULL,
    player_id BIGINT NOT NULL,
    guild_id BIGINT,
    game TEXT COLLATE "C" NOT NULL,
    won BIGINT NOT NULL,
    PRIMARY KEY (match_id, seat),
    FOREIGN KEY (match_id, seat) REFERENCES seats (match_id, seat)
);

CREATE TABLE figures (
    match_id TEXT COLLATE "C" NOT NULL,
    seat BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (match_id, seat, key),
    FOREIGN KEY (match_id, seat) REFERENCES results (match_id, seat)
);

CREATE TABLE posts (
    match_id TEXT COLLATE "C" NOT NULL REFERENCES matches (id),
    spot TEXT COLLATE "C" NOT NULL,
    channel_id BIGINT NOT NULL,
    message_id BIGINT NOT NULL,
    posted_at BIGINT NOT NULL,
    shown TEXT COLLATE "C",
    PRIMARY KEY (match_id, spot)
);

CREATE TABLE players (
    player_id BIGINT PRIMARY KEY,
    dm_channel_id BIGINT,
    dms_closed BIGINT NOT NULL DEFAULT 0,
    locale TEXT COLLATE "C"
);

CREATE TABLE notes (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);

CREATE TABLE servers (
    guild_id BIGINT PRIMARY KEY,
    turn_seconds BIGINT NOT NULL,
    stoppers TEXT COLLATE "C" NOT NULL CHECK (stoppers IN ('host', 'seated', 'managers')),
    channels TEXT COLLATE "C" NOT NULL CHECK (channels::json IS NOT NULL),
    mentions BIGINT NOT NULL,
    language TEXT COLLATE "C"
);

CREATE TABLE totals (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, player_id)
);

CREATE INDEX totals_by_rank ON totals (guild_id, game, wins DESC, matches, player_id);
CREATE INDEX totals_of_a_player ON totals (player_id, guild_id, game);

CREATE TABLE total_figures (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    value BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, player_id, key)
);

-- The number of players with equal results, so that a rank or a page is found without counting players.
CREATE TABLE ties (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    wins BIGINT NOT NULL,
    matches BIGINT NOT NULL,
    players BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, wins, matches)
);

CREATE TABLE names (
    guild_id BIGINT NOT NULL,
    player_id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (guild_id, player_id)
);

CREATE TABLE day_wins (
    player_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    match_id TEXT COLLATE "C" NOT NULL REFERENCES matches (id),
    guild_id BIGINT,
    name TEXT COLLATE "C" NOT NULL,
    moves BIGINT NOT NULL,
    undos BIGINT NOT NULL,
    seconds BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    PRIMARY KEY (player_id, game, day, match_id)
);

CREATE INDEX day_wins_by_rank ON day_wins (guild_id, game, day, moves, seconds, ended_at, player_id);

CREATE TABLE day_ties (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    moves BIGINT NOT NULL,
    players BIGINT NOT NULL,
    PRIMARY KEY (guild_id, game, day, moves)
);

CREATE TABLE frog_totals (
    guild_id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    player_id BIGINT NOT NULL,
    strength TEXT COLLATE "C" NOT NULL CHECK (strength IN ('tadpole', 'froglet', 'toad')),
    matches BIGINT NOT NULL,
    wins BIGINT NOT NULL,
    PRIMARY KEY (player_id, guild_id, game, strength)
);
