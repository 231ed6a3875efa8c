-- Deals by number that a player has viewed in another's match, and when: a later try of one is practice.
CREATE TABLE viewed_deals (
    player_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    deal INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player_id, game, deal)
) STRICT, WITHOUT ROWID;
