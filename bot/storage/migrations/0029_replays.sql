-- Whether a server's matches that are over may be watched in other servers.
ALTER TABLE servers ADD COLUMN watched_elsewhere INTEGER NOT NULL DEFAULT 0;
