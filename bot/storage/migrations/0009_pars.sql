-- The number of deals that a player has won, by the difference from par in moves (negative for fewer). A
-- guild_id of 0 is the total of all servers and DMs. Older deals without a par are not counted.
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
