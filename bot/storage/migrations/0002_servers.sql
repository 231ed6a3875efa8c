-- The settings of each server. A server without a row has the defaults.

CREATE TABLE servers (
    guild_id INTEGER PRIMARY KEY,
    turn_seconds INTEGER NOT NULL,
    stoppers TEXT NOT NULL CHECK (stoppers IN ('host', 'seated', 'managers')),
    channels TEXT NOT NULL CHECK (json_valid(channels)),
    mentions INTEGER NOT NULL,
    language TEXT
) STRICT;
