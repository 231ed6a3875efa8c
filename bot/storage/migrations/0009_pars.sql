-- How many deals a player has won with how many moves more than par (fewer: below 0). Where a guild_id
-- is 0, all servers and DMs together. A deal without par, from before it was told, counts in none.
CREATE TABLE par_totals (
    guild_id INTEGER NOT NULL,
    game TEXT NOT NULL,
    player_id INTEGER NOT NULL,
    difference INTEGER NOT NULL,
    deals INTEGER NOT NULL,
    PRIMARY KEY (guild_id, game, player_id, difference)
) STRICT, WITHOUT ROWID;

INSERT INTO par_totals
SELECT r.guild_id, r.game, r.player_id, f.value - json_extract(m.options, '$.par') AS difference, count(*)
FROM results AS r
INNER JOIN matches AS m ON m.id = r.match_id
INNER JOIN figures AS f ON f.match_id = r.match_id AND f.seat = r.seat AND f.key = 'moves'
WHERE r.won = 1 AND r.guild_id IS NOT NULL AND json_extract(m.options, '$.par') > 0
GROUP BY r.guild_id, r.game, r.player_id, difference;

INSERT INTO par_totals
SELECT 0, r.game, r.player_id, f.value - json_extract(m.options, '$.par') AS difference, count(*)
FROM results AS r
INNER JOIN matches AS m ON m.id = r.match_id
INNER JOIN figures AS f ON f.match_id = r.match_id AND f.seat = r.seat AND f.key = 'moves'
WHERE r.won = 1 AND json_extract(m.options, '$.par') > 0
GROUP BY r.game, r.player_id, difference;
