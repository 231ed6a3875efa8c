-- The application emojis of icons. The name of an emoji identifies the version of its picture.
CREATE TABLE emojis (
    application_id INTEGER NOT NULL,
    sign TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji_id INTEGER NOT NULL,
    PRIMARY KEY (application_id, sign)
) STRICT, WITHOUT ROWID;

-- Whether each suit has its own colour, at a server's tables and in a player's private messages. NULL
-- for a player means the setting of the server.
ALTER TABLE servers ADD COLUMN four_colours INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN four_colours INTEGER;
