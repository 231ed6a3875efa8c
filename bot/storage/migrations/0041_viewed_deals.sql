-- Numbered deals that a player has viewed in another player's match, with the Unix time. A later match
-- with one is practice.
CREATE TABLE viewed_deals (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    deal INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player_id, game, deal)
) STRICT, WITHOUT ROWID;
