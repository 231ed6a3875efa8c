-- What is kept of a person, as it is handed out to that person: nothing of others, and no cards to come.

-- name: own_player^
SELECT dm_channel_id, dms_closed, locale, name, user_name, unshown_since, told, night, zone, four_colours,
    text_table
FROM players WHERE player_id = :player_id;

-- name: own_names
SELECT guild_id, name FROM names WHERE player_id = :player_id ORDER BY guild_id;

-- name: own_lessons
SELECT game, at FROM learned WHERE player_id = :player_id ORDER BY game;

-- name: own_matches
SELECT
    m.id, m.game, m.rules_version, m.guild_id, m.channel_id, m.guest, m.stage, m.opened_at, m.ended_at,
    m.turn_seconds, m.unfinished, m.uncounted, m.day, m.options,
    CASE WHEN m.host_id = :player_id THEN 1 ELSE 0 END AS is_host,
    s.seat, s.name, s.missed, s.bank, s.strength, s.hints, r.won, r.played
FROM seats AS s
INNER JOIN matches AS m ON m.id = s.match_id
LEFT JOIN results AS r ON r.match_id = s.match_id AND r.seat = s.seat
WHERE s.player_id = :player_id ORDER BY m.opened_at, m.id;

-- name: own_moves
SELECT n, text, choice, at, mover FROM moves
WHERE match_id = :match_id AND seat = :seat ORDER BY n;

-- name: own_figures
SELECT key, value FROM figures WHERE match_id = :match_id AND seat = :seat ORDER BY key;

-- name: own_messages
SELECT p.match_id, p.channel_id, p.message_id, p.posted_at FROM seats AS s
INNER JOIN posts AS p ON p.match_id = s.match_id AND p.spot = 'hand ' || s.seat
WHERE s.player_id = :player_id ORDER BY p.match_id;

-- name: own_totals
SELECT guild_id, game, matches, wins FROM totals WHERE player_id = :player_id ORDER BY guild_id, game;

-- name: own_total_figures
SELECT key, value FROM total_figures
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY key;

-- name: own_frog_totals
SELECT guild_id, game, strength, matches, wins FROM frog_totals
WHERE player_id = :player_id ORDER BY guild_id, game, strength;

-- name: own_pars
SELECT difference, deals FROM par_totals
WHERE guild_id = :guild_id AND game = :game AND player_id = :player_id ORDER BY difference;

-- name: own_day_wins
SELECT game, day, match_id, guild_id, name, moves, undos, seconds, ended_at, late, helped FROM day_wins
WHERE player_id = :player_id ORDER BY day, game, guild_id;

-- name: own_removals
SELECT guild_id, kind, at, back_at FROM removals WHERE kind <> 'match' AND subject = :subject ORDER BY at;

-- name: removals_made
SELECT guild_id, kind, at, back_at FROM removals
WHERE by_id = :player_id OR back_by = :player_id ORDER BY at;

-- name: barring_servers
-- Those where the person was ever called anything, which has to come before.
SELECT guild_id, barred FROM servers
WHERE guild_id IN (SELECT n.guild_id FROM names AS n WHERE n.player_id = :player_id) ORDER BY guild_id;

-- name: own_puzzle_answers
SELECT game, day, is_right FROM puzzle_answers WHERE player_id = :player_id ORDER BY game, day;
