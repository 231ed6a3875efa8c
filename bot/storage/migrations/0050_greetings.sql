-- Servers that the bot has greeted, or that a user's first command there greets (is_due). The mark is a
-- keyed hash of the server's ID, because it stays when the server is forgotten.
CREATE TABLE greetings (
    mark INTEGER NOT NULL PRIMARY KEY,
    is_due INTEGER NOT NULL
) STRICT;
