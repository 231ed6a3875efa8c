-- name: answer_puzzle!
INSERT INTO puzzle_answers (player_id, game, day, is_right) VALUES (:player_id, :game, :day, :is_right)
ON CONFLICT (player_id, game, day) DO NOTHING;

-- name: days_right
SELECT day FROM puzzle_answers WHERE player_id = :player_id AND game = :game AND is_right = 1;

-- name: puzzle_page
-- Some of a server's players by the puzzles of late days that they got right; one's own row is last.
WITH counted AS (
    SELECT n.player_id, n.name, count(*) AS matches, sum(a.is_right) AS wins
    FROM names AS n INNER JOIN puzzle_answers AS a
        ON a.player_id = n.player_id AND a.game = :game AND a.day > :since
    WHERE n.guild_id = :guild_id AND n.name <> '' AND NOT EXISTS (
        SELECT 1 FROM removals AS o
        WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.back_at IS NULL
            AND o.subject = CAST(n.player_id AS text)
    )
    GROUP BY n.player_id, n.name
), ranked AS (
    SELECT counted.*, count(*) OVER () AS players, rank() OVER best AS rank,
        row_number() OVER (ORDER BY wins DESC, matches, player_id) - 1 AS place
    FROM counted WINDOW best AS (ORDER BY wins DESC, matches)
)
SELECT ranked.*, p.user_name FROM ranked LEFT JOIN players AS p ON p.player_id = ranked.player_id
WHERE (place >= :first AND place < :end) OR ranked.player_id = :player_id
ORDER BY CASE WHEN place >= :first AND place < :end THEN 0 ELSE 1 END, place;

-- name: own_data_puzzle_answers
SELECT game, day, is_right FROM puzzle_answers WHERE player_id = :player_id ORDER BY game, day;

-- name: forget_player_puzzle_answers!
DELETE FROM puzzle_answers WHERE player_id = :player_id;
