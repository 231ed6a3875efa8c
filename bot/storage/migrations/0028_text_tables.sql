-- Whose hands, and whose tables, are told in words instead of shown in pictures: as a player likes it (NULL
-- for as the place has it), in a whole server, or in some of its channels.
ALTER TABLE players ADD COLUMN text_table INTEGER;
ALTER TABLE servers ADD COLUMN text_tables INTEGER NOT NULL DEFAULT 0;
ALTER TABLE servers ADD COLUMN text_channels TEXT NOT NULL DEFAULT '[]';
