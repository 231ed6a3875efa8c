-- Whether finished matches of a server may be watched in other servers.
ALTER TABLE servers ADD COLUMN watched_elsewhere INTEGER NOT NULL DEFAULT 0;
