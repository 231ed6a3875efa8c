-- name: own_data_corrections
SELECT guild_id, kind, at, back_at FROM removals
WHERE kind <> 'match' AND subject = CAST(CAST(:player_id AS bigint) AS text) ORDER BY at;

-- name: own_data_corrections_made
SELECT guild_id, kind, at, back_at FROM removals
WHERE by_id = :player_id OR back_by = :player_id ORDER BY at;

-- name: forget_player_corrections!
-- Who is off a board stays so by id, as who is barred does; and what the nameless one has played, too.
INSERT INTO removals (guild_id, kind, subject, at, by_id)
SELECT DISTINCT o.guild_id, o.kind, CAST(CAST(:other AS bigint) AS text), 0, 0 FROM removals AS o
WHERE o.guild_id IN (0, :guild_id) AND o.kind = 'player' AND o.back_at IS NULL
    AND o.subject = CAST(CAST(:player_id AS bigint) AS text)
ON CONFLICT (guild_id, kind, subject, at) DO NOTHING;

-- name: forget_player_corrections_made!
UPDATE removals
SET by_id = CASE WHEN by_id = :player_id THEN :other ELSE by_id END,
    back_by = CASE WHEN back_by = :player_id THEN :other ELSE back_by END
WHERE guild_id = :guild_id AND :player_id IN (by_id, back_by);

-- name: forget_server_corrections!
-- Who is off the boards stays so, where the bot goes on.
DELETE FROM removals WHERE guild_id = :guild_id AND (kind = 'match' OR :is_gone = 1);
