-- What was taken off the boards of a server, or of all (0), by whom and when, and who put it back: a match,
-- or by the id of a player all they have played, or their name.
CREATE TABLE removals (
    guild_id INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('match', 'player', 'name')),
    subject TEXT NOT NULL,
    at INTEGER NOT NULL,
    by_id INTEGER NOT NULL,
    back_at INTEGER,
    back_by INTEGER,
    PRIMARY KEY (guild_id, kind, subject, at)
) STRICT, WITHOUT ROWID;

-- A player's matches in a server are counted once more when something is taken off or put back.
CREATE INDEX results_of_a_player ON results (player_id, guild_id);
