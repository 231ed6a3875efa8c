-- name: end_challenges!
UPDATE challenges SET state = 'over' WHERE guild_id = :guild_id AND state = 'open' AND ends_at <= :at;

-- name: count_challenges$
-- Without those that are not posted yet, which moderators cannot close.
SELECT count(*) FROM challenges WHERE guild_id = :guild_id AND state = 'open' AND posted_at > 0;

-- name: own_challenge^
SELECT * FROM challenges WHERE guild_id = :guild_id AND player_id = :player_id AND state = 'open';

-- name: own_posted_challenges^
SELECT count(*) AS number, min(posted_at) AS first_at FROM challenges
WHERE guild_id = :guild_id AND player_id = :player_id AND posted_at > :since;

-- name: challenge^
SELECT * FROM challenges WHERE id = :id;

-- name: begin_challenge!
INSERT INTO challenges (
    id, game, guild_id, channel_id, player_id, secret, rules, thinking, begun_at, ends_at
) VALUES (
    :id, :game, :guild_id, :channel_id, :player_id, :secret, :rules, :thinking, :at, :ends_at
) ON CONFLICT DO NOTHING;

-- name: begin_challenge_try!
INSERT INTO challenge_tries (challenge_id, player_id, name, begun_at) VALUES (:id, :player_id, :name, :at)
ON CONFLICT (challenge_id, player_id) DO NOTHING;

-- name: extend_challenge!
UPDATE challenges SET ends_at = posted_at + CAST(:seconds AS bigint)
WHERE id = :id AND state = 'open' AND ends_at > :at AND posted_at > 0;

-- name: challenge_scores$
SELECT scores FROM challenge_tries WHERE challenge_id = :id AND player_id = :player_id;

-- name: score_challenge!
-- Adds the score of the next board while the challenge is open. A board counts once.
UPDATE challenge_tries SET scores = scores || CAST(:score AS text), ended_at = :ended_at
WHERE challenge_id = :id AND player_id = :player_id AND length(scores) = :board AND EXISTS (
    SELECT 1 FROM challenges AS c WHERE c.id = challenge_tries.challenge_id AND c.state = 'open' AND c.ends_at > :at
);

-- name: waiting_challenges
-- The challenges in a server whose players have finished all boards and that are not posted yet.
SELECT c.id, c.channel_id FROM challenges AS c
INNER JOIN challenge_tries AS t ON t.challenge_id = c.id AND t.player_id = c.player_id AND t.ended_at > 0
WHERE c.guild_id = :guild_id AND c.state = 'open' AND c.posted_at = 0
ORDER BY t.ended_at, c.id LIMIT :limit;

-- name: post_challenge!
UPDATE challenges SET posted_at = :at, ends_at = :ends_at WHERE id = :id;

-- name: close_challenge!
UPDATE challenges SET state = 'closed', ends_at = :at WHERE id = :id AND state = 'open';

-- name: mention_friend!
UPDATE challenges SET friend_id = :friend_id WHERE id = :id AND friend_id = 0;

-- name: challenge_results
-- Finished tries, best first, without players whom the server has taken off its boards.
SELECT player_id, name, scores FROM challenge_tries AS t
WHERE challenge_id = :id AND ended_at > 0 AND CAST(player_id AS text) NOT IN (
    SELECT r.subject FROM removals AS r
    WHERE r.guild_id IN (0, :guild_id) AND r.kind = 'player' AND r.back_at IS NULL
)
ORDER BY length(replace(replace(scores, '1', ''), '0', '')) DESC, length(replace(scores, '0', '')) DESC,
    ended_at, player_id;

-- name: is_blocked$
SELECT 1 FROM challenge_blocks WHERE player_id = :player_id;

-- name: block_challenges!
INSERT INTO challenge_blocks (player_id) VALUES (:player_id) ON CONFLICT (player_id) DO NOTHING;

-- name: allow_challenges!
DELETE FROM challenge_blocks WHERE player_id = :player_id;

-- name: drop_unshown_challenge_tries
DELETE FROM challenge_tries WHERE player_id BETWEEN :first AND :last AND begun_at <= :before
RETURNING player_id;

-- name: drop_unshown_challenges
DELETE FROM challenges WHERE player_id BETWEEN :first AND :last AND begun_at <= :before
RETURNING player_id;

-- name: late_tries_of_challenges
-- Tries of open challenges, which are still counted until then if the account plays again.
SELECT c.ends_at AS opened_at, c.game || ' challenge' AS game, c.id AS deal
FROM challenge_tries AS t INNER JOIN challenges AS c ON c.id = t.challenge_id
WHERE t.player_id = :host_id AND c.state = 'open' AND c.posted_at > 0;

-- name: own_data_challenges
SELECT c.id, c.game, c.guild_id, c.channel_id, c.begun_at, c.posted_at, c.ends_at, c.state
FROM challenges AS c WHERE c.player_id = :player_id ORDER BY c.begun_at, c.id;

-- name: own_data_challenge_tries
SELECT t.challenge_id, c.guild_id, t.name, t.scores, t.begun_at, t.ended_at
FROM challenge_tries AS t LEFT JOIN challenges AS c ON c.id = t.challenge_id
WHERE t.player_id = :player_id ORDER BY t.begun_at, t.challenge_id;

-- name: own_data_challenge_mentions
SELECT id, guild_id FROM challenges WHERE friend_id = :player_id ORDER BY id;

-- name: own_data_challenge_blocks
SELECT player_id FROM challenge_blocks WHERE player_id = :player_id;

-- name: forget_player_challenge_blocks!
DELETE FROM challenge_blocks WHERE player_id = :player_id;

-- name: forget_player_challenge_mentions!
UPDATE challenges SET friend_id = :other WHERE friend_id = :player_id AND guild_id = :guild_id;

-- name: forget_player_challenge_tries!
UPDATE challenge_tries SET player_id = :other, name = ''
WHERE player_id = :player_id AND ended_at > 0 AND EXISTS (
    SELECT 1 FROM challenges AS c WHERE c.id = challenge_tries.challenge_id AND c.guild_id = :guild_id
);

-- name: forget_player_challenge_tries_begun!
-- Also deletes finished tries of challenges that are not posted or already deleted. Runs before
-- forget_player_challenges_begun.
DELETE FROM challenge_tries WHERE player_id IN (:player_id, :other) AND (ended_at = 0 OR NOT EXISTS (
    SELECT 1 FROM challenges AS c WHERE c.id = challenge_tries.challenge_id AND c.posted_at > 0
));

-- name: forget_player_challenges_begun!
DELETE FROM challenges WHERE player_id IN (:player_id, :other) AND posted_at = 0;

-- name: forget_player_challenges_posted!
UPDATE challenges SET player_id = :other WHERE player_id = :player_id AND guild_id = :guild_id;

-- name: forget_server_challenge_tries!
DELETE FROM challenge_tries WHERE challenge_id IN (SELECT id FROM challenges WHERE guild_id = :guild_id);

-- name: forget_server_challenges!
DELETE FROM challenges WHERE guild_id = :guild_id;
