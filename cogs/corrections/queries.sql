-- name: is_removed$
SELECT count(*) FROM removals
WHERE guild_id = :guild_id AND kind = :kind AND subject = :subject AND back_at IS NULL;

-- name: take_off!
-- Inserts nothing if the removal is already in force.
INSERT INTO removals (guild_id, kind, subject, at, by_id)
SELECT :guild_id, CAST(:kind AS text), CAST(:subject AS text), :at, :by_id WHERE NOT EXISTS (
    SELECT 1 FROM removals AS o
    WHERE o.guild_id = :guild_id AND o.kind = :kind AND o.subject = :subject AND o.back_at IS NULL
)
ON CONFLICT (guild_id, kind, subject, at)
DO UPDATE SET by_id = excluded.by_id, back_at = NULL, back_by = NULL;

-- name: put_back!
UPDATE removals SET back_at = :at, back_by = :by_id
WHERE guild_id = :guild_id AND kind = :kind AND subject = :subject AND back_at IS NULL;

-- name: is_known$
-- The number of matches and of rows about a player that have the given IDs.
SELECT count(*) FROM (
    SELECT host_id FROM matches WHERE id = :match_id
    UNION ALL SELECT player_id FROM seats WHERE player_id = :player_id
    UNION ALL SELECT player_id FROM players WHERE player_id = :player_id
) AS known;

-- Recount of the totals of a player in a server:

-- name: latest_matches_of
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM (
    SELECT r.match_id FROM results AS r INNER JOIN matches AS o ON o.id = r.match_id
    WHERE r.player_id = :player_id AND r.guild_id = :guild_id ORDER BY o.ended_at DESC, o.id
    LIMIT :limit OFFSET :offset
) AS page
INNER JOIN matches AS m ON m.id = page.match_id
INNER JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
ORDER BY m.ended_at DESC, m.id, s.seat;

-- name: counted_matches
-- Includes daily deals won elsewhere that the server's board shows, or would show by the choice of a
-- returning player.
SELECT m.*, s.player_id, s.name, s.missed, s.strength, s.hints, s.bank, s.interaction, p.user_name
FROM matches AS m INNER JOIN (
    SELECT r.match_id FROM results AS r WHERE r.player_id = :player_id AND r.guild_id = :guild_id
    UNION SELECT w.match_id FROM day_wins AS w
    WHERE w.player_id = :player_id AND (w.guild_id = :guild_id OR (:back = 1 AND EXISTS (
        SELECT 1 FROM day_boards AS b WHERE b.player_id = :player_id AND b.guild_id = :guild_id
    )))
) AS own ON own.match_id = m.id
INNER JOIN seats AS s ON s.match_id = m.id LEFT JOIN players AS p ON p.player_id = s.player_id
ORDER BY m.ended_at, m.id, s.seat;

-- name: clear_place_totals!
DELETE FROM totals WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: clear_place_figures!
DELETE FROM total_figures WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: clear_place_frog_totals!
DELETE FROM frog_totals WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: clear_place_pars!
DELETE FROM par_totals WHERE guild_id = :guild_id AND player_id = :player_id;

-- name: clear_place_day_wins!
DELETE FROM day_wins
WHERE player_id = :player_id AND (
    guild_id = :guild_id
    OR match_id IN (SELECT match_id FROM results WHERE player_id = :player_id AND guild_id = :guild_id)
);

-- name: own_data_corrections
SELECT guild_id, kind, at, back_at FROM removals
WHERE kind <> 'match' AND subject = CAST(CAST(:player_id AS bigint) AS text) ORDER BY at;

-- name: own_data_corrections_made
SELECT guild_id, kind, at, back_at FROM removals
WHERE by_id = :player_id OR back_by = :player_id ORDER BY at;

-- name: forget_player_corrections!
-- Keeps the removal of the player's ID, as a ban is kept, and adds one for the placeholder.
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
-- Removals of players and names are kept while the bot is still a member of the server.
DELETE FROM removals WHERE guild_id = :guild_id AND (kind = 'match' OR :is_gone = 1);
