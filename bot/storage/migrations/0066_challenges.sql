-- Challenges of players in servers. The secret, as hexadecimal digits, decides the boards. A challenge has
-- a posted_at of 0 until its player has finished the boards. The state is open, over or closed. A player
-- has one open challenge in a server. The friend is the user who was mentioned, or 0.
CREATE TABLE challenges (
    id INTEGER NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    guild_id INTEGER NOT NULL,
    channel_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    secret TEXT NOT NULL,
    rules INTEGER NOT NULL,
    thinking INTEGER NOT NULL,
    begun_at INTEGER NOT NULL,
    posted_at INTEGER NOT NULL DEFAULT 0,
    ends_at INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'open',
    friend_id INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX open_challenges ON challenges (guild_id, player_id) WHERE state = 'open';
CREATE INDEX challenges_of_a_player ON challenges (player_id);
CREATE INDEX challenges_of_a_friend ON challenges (friend_id) WHERE friend_id <> 0;
CREATE INDEX challenges_of_a_server ON challenges (guild_id);

-- Players' only tries of challenges, with the scores of finished boards as in duel_tries.
CREATE TABLE challenge_tries (
    challenge_id INTEGER NOT NULL,
    player_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    scores TEXT NOT NULL DEFAULT '',
    begun_at INTEGER NOT NULL,
    ended_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (challenge_id, player_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX challenge_tries_of_a_player ON challenge_tries (player_id);

-- Users who are mentioned in no challenge.
CREATE TABLE challenge_blocks (
    player_id INTEGER NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The weekly report finds the duels of a server.
CREATE INDEX duel_tries_of_a_server ON duel_tries (guild_id, day);
