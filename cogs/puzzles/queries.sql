-- name: answer_puzzle!
INSERT INTO puzzle_answers (player_id, game, day, is_right) VALUES (:player_id, :game, :day, :is_right)
ON CONFLICT (player_id, game, day) DO NOTHING;

-- name: days_right
SELECT day FROM puzzle_answers WHERE player_id = :player_id AND game = :game AND is_right = 1;

-- name: days_missed
SELECT day FROM puzzle_answers
WHERE player_id = :player_id AND game = :game AND is_right = 0 AND day > :since
ORDER BY day DESC LIMIT :limit;

-- name: has_answered$
SELECT count(*) FROM puzzle_answers WHERE player_id = :player_id AND game = :game AND day = :day;

-- name: puzzle_counts^
-- The players of a server who have answered the puzzle of a day, and those who were right.
SELECT count(*) AS answered, sum(a.is_right) AS solved
FROM names AS n INNER JOIN puzzle_answers AS a
    ON a.player_id = n.player_id AND a.game = :game AND a.day = :day
WHERE n.guild_id = :guild_id AND n.name <> '' AND NOT EXISTS (
    SELECT 1 FROM removals AS o
    WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.back_at IS NULL
        AND o.subject = CAST(n.player_id AS text)
);

-- name: puzzle_board
-- A server's players by the puzzles of recent days that they got right.
SELECT counted.*, rank() OVER (ORDER BY wins DESC, matches) AS rank FROM (
    SELECT n.player_id, count(*) AS matches, sum(a.is_right) AS wins
    FROM names AS n INNER JOIN puzzle_answers AS a
        ON a.player_id = n.player_id AND a.game = :game AND a.day > :since
    WHERE n.guild_id = :guild_id AND n.name <> '' AND NOT EXISTS (
        SELECT 1 FROM removals AS o
        WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.back_at IS NULL
            AND o.subject = CAST(n.player_id AS text)
    )
    GROUP BY n.player_id
) AS counted
ORDER BY wins DESC, matches, player_id;

-- name: puzzle_days
-- The answers to the puzzles of some days, by players with a name in a server.
SELECT n.player_id, n.name, p.user_name, a.day, a.is_right FROM names AS n
INNER JOIN puzzle_answers AS a ON a.player_id = n.player_id AND a.game = :game AND a.day BETWEEN :since AND :until
LEFT JOIN players AS p ON p.player_id = n.player_id
WHERE n.guild_id = :guild_id AND n.name <> '' AND NOT EXISTS (
    SELECT 1 FROM removals AS o
    WHERE o.guild_id IN (0, :guild_id) AND o.kind IN ('player', 'name') AND o.back_at IS NULL
        AND o.subject = CAST(n.player_id AS text)
)
ORDER BY n.player_id;

-- name: own_data_puzzle_answers
SELECT game, day, is_right FROM puzzle_answers WHERE player_id = :player_id ORDER BY game, day;

-- name: forget_player_puzzle_answers!
DELETE FROM puzzle_answers WHERE player_id = :player_id;
