-- name: begin_duel_day!
INSERT INTO duel_days (game, day, rules, thinking) VALUES (:game, :day, :rules, :thinking)
ON CONFLICT (game, day) DO NOTHING;

-- name: duel_day^
SELECT rules, thinking, field FROM duel_days WHERE game = :game AND day = :day;

-- name: fill_duel_field!
UPDATE duel_days SET field = :field WHERE game = :game AND day = :day AND field = '';

-- name: begin_duel_try!
INSERT INTO duel_tries (game, day, player_id, guild_id, name, begun_at)
VALUES (:game, :day, :player_id, :guild_id, :name, :at)
ON CONFLICT (game, day, player_id) DO NOTHING;

-- name: duel_try^
SELECT guild_id, name, scores, begun_at, ended_at FROM duel_tries
WHERE game = :game AND day = :day AND player_id = :player_id;

-- name: score_duel!
-- Adds the score of the next board. A board counts once.
UPDATE duel_tries SET scores = scores || CAST(:score AS text), ended_at = :ended_at
WHERE game = :game AND day = :day AND player_id = :player_id AND length(scores) = :board;

-- name: count_duel!
INSERT INTO duel_counts (game, day, guild_id, scores, tries) VALUES (:game, :day, :guild_id, :scores, 1)
ON CONFLICT (game, day, guild_id, scores) DO UPDATE SET tries = duel_counts.tries + 1;

-- name: duel_counts
SELECT scores, tries FROM duel_counts WHERE game = :game AND day = :day AND guild_id = :guild_id;

-- name: duel_counts_off
-- The finished tries in a server of players whom its boards leave out.
SELECT t.scores, count(DISTINCT t.player_id) AS tries FROM removals AS r
INNER JOIN duel_tries AS t ON t.game = :game AND t.day = :day AND t.guild_id = :guild_id AND t.ended_at > 0
    AND t.player_id = CAST(CASE WHEN r.kind = 'player' THEN r.subject ELSE '0' END AS bigint)
WHERE r.guild_id IN (0, :guild_id) AND r.kind = 'player' AND r.back_at IS NULL
GROUP BY t.scores;

-- name: duel_page
-- Some of a server's players with the same scores, in the order in which they finished.
SELECT player_id, name, scores FROM duel_tries
WHERE game = :game AND day = :day AND guild_id = :guild_id AND scores = :scores AND ended_at > 0
    AND CAST(player_id AS text) NOT IN (
        SELECT r.subject FROM removals AS r
        WHERE r.guild_id IN (0, :guild_id) AND r.kind = 'player' AND r.back_at IS NULL
    )
ORDER BY ended_at, player_id LIMIT :limit OFFSET :offset;

-- name: duel_players$
SELECT count(*) FROM duel_tries
WHERE game = :game AND day = :day AND guild_id = :guild_id AND ended_at > 0;

-- name: best_at_board$
-- The player of a server with the best result at a board, counted from 1. The first to finish wins ties.
SELECT player_id FROM duel_tries
WHERE game = :game AND day = :day AND guild_id = :guild_id AND ended_at > 0 AND player_id > 0
    AND CAST(player_id AS text) NOT IN (
        SELECT r.subject FROM removals AS r
        WHERE r.guild_id IN (0, :guild_id) AND r.kind = 'player' AND r.back_at IS NULL
    )
ORDER BY substr(scores, :board, 1) DESC, ended_at, player_id LIMIT 1;

-- name: duels_lately
SELECT player_id, max(name) AS name FROM duel_tries
WHERE game = :game AND day BETWEEN :first AND :last AND guild_id = :guild_id AND ended_at > 0
    AND CAST(player_id AS text) NOT IN (
        SELECT r.subject FROM removals AS r
        WHERE r.guild_id IN (0, :guild_id) AND r.kind = 'player' AND r.back_at IS NULL
    )
GROUP BY player_id ORDER BY max(ended_at) DESC, player_id LIMIT :limit;

-- name: duel_days_of
-- A try ends only while its day counts.
SELECT day FROM duel_tries WHERE player_id = :player_id AND game = :game AND ended_at > 0;

-- name: late_tries_of_duels
-- Tries of the last two days, which are still counted if the account plays again.
SELECT begun_at AS opened_at, game || ' duel' AS game, day AS deal FROM duel_tries
WHERE player_id = :host_id AND begun_at > (
    SELECT max(o.begun_at) - 2 * 86400 FROM duel_tries AS o WHERE o.player_id = :host_id
);

-- name: own_data_duels
SELECT game, day, guild_id, name, scores, begun_at, ended_at FROM duel_tries
WHERE player_id = :player_id ORDER BY day, game;

-- name: forget_player_duels!
-- Runs for each server of the player. An unfinished try is data of the player alone.
UPDATE duel_tries SET player_id = :other, name = ''
WHERE player_id = :player_id AND guild_id = :guild_id AND ended_at > 0;

-- name: forget_player_duels_begun!
DELETE FROM duel_tries WHERE player_id IN (:player_id, :other) AND ended_at = 0;

-- name: forget_server_duels!
UPDATE duel_tries SET guild_id = 0,
    name = coalesce((SELECT p.name FROM players AS p WHERE p.player_id = duel_tries.player_id), name)
WHERE guild_id = :guild_id;

-- name: forget_server_duel_counts!
DELETE FROM duel_counts WHERE guild_id = :guild_id;
