-- Whether messages have text instead of pictures, for a player (NULL means the setting of the server or
-- channel), for a whole server, or for some of its channels.
ALTER TABLE players ADD COLUMN text_table INTEGER;
ALTER TABLE servers ADD COLUMN text_tables INTEGER NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN text_channels TEXT NOT NULL DEFAULT '[]';
