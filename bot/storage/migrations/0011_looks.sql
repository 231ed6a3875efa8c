-- Signs as emojis of the application: which is there under which name, that tells how it is drawn.
CREATE TABLE emojis (
    application_id INTEGER NOT NULL,
    sign TEXT NOT NULL,
    name TEXT NOT NULL,
    emoji_id INTEGER NOT NULL,
    PRIMARY KEY (application_id, sign)
) STRICT, WITHOUT ROWID;

-- Whether each suit has a colour of its own: at a server's tables, and in what only a player sees,
-- where a player without a wish leaves it to the server.
ALTER TABLE servers ADD COLUMN four_colours INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN four_colours INTEGER;
