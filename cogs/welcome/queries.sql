-- name: claim_greeting$
-- Returns the mark of a server that was never greeted and never played. Its greeting is due until it was
-- posted or shown.
INSERT INTO greetings (mark, is_due)
SELECT CAST(:mark AS bigint), 1
WHERE NOT EXISTS (SELECT 1 FROM servers AS s WHERE s.guild_id = :guild_id) AND NOT EXISTS (
    SELECT 1 FROM matches AS m
    WHERE m.guild_id = :guild_id AND m.stage IN ('finished', 'stopped') AND m.guest = 0
) AND NOT EXISTS (
    SELECT 1 FROM matches AS m
    WHERE m.guild_id = :guild_id AND m.stage IN ('lobby', 'playing') AND m.guest = 0
)
ON CONFLICT (mark) DO NOTHING RETURNING mark;

-- name: greet!
UPDATE greetings SET is_due = 0 WHERE mark = :mark AND is_due = 1;

-- name: due_greetings
SELECT mark FROM greetings WHERE is_due = 1 ORDER BY mark;
