"""Database of challenges, of players' tries at them, and of users whom challenges may not mention.

A try is one player's run through the boards of a challenge. Each player has one.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from bot.delivery.regular_posts import next_edit_at
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.shuffle import new_seed
from bot.engine.translation import _
from bot.matches.duels import LOST, count_in, count_of, own_score
from bot.matches.leaderboard_rules import DAY_SECONDS, Facts, LeaderboardRow
from bot.matches.match import Match, Player, Result
from bot.messages.time_limits import when
from bot.sessions.errors import TableError
from bot.storage.anonymous_counts import kept_count, try_of
from bot.storage.daily_deals import day_at
from bot.storage.leaderboard_totals import shown_names
from bot.storage.named_queries import Record, Sql
from bot.storage.regular_posts import RegularPost, add_post, find_post
from bot.storage.writer import Reader, Store, Writer

POST = "challenge"
"""The type of challenge posts. It is also the first word of each post's key, which is called slot."""

BEGUN_SECONDS, UNANSWERED_SECONDS, ANSWERED_SECONDS = DAY_SECONDS, DAY_SECONDS, 3 * DAY_SECONDS
"""Time limits of a challenge, in seconds.

They limit the challenger's own boards, a posted challenge without an answer, and one with an answer.
"""

MOST_OPEN = 10
"""Maximum number of posted open challenges in a server. At this number, no other begins or is posted."""

MOST_POSTED = 3
"""Number of challenges that a player can post in a server in 24 hours. Closed ones count as well."""

NUMBERS = 10**8
"""Upper limit of the random numbers that identify challenges (exclusive)."""


@frozen
class Challenge:
    """A challenge that a player has begun in a server.

    Attributes:
        id: The random number that identifies the challenge.
        game: The game with its newest rules. ``game_as_begun`` returns it with the rules that apply.
        player_id: The challenger.
        secret: The secret that decides the deals.
        versions: The versions of the rules and the computer players with which the challenge began.
        posted_at: The Unix time at which the challenger finished the boards, or 0.
        ends_at: The Unix time at which the challenge ends. Before ``posted_at`` is set, it is the time
            limit for the challenger's own boards.
        state: ``open``, ``over`` or ``closed``. It may remain ``open`` for a while after ``ends_at``, so
            use ``is_over``.
        friend_id: The user whom the challenge mentioned, or 0.
    """

    id: int
    game: AnyGame
    guild_id: int
    channel_id: int
    player_id: int
    secret: bytes
    versions: tuple[int, int]
    begun_at: int
    posted_at: int
    ends_at: int
    state: str
    friend_id: int

    @property
    def slot(self) -> str:
        return f"{POST} {self.id}"

    @property
    def boards(self) -> int:
        return count_of(self.game.as_of(*self.versions) or self.game, self.id)

    @property
    def is_answered(self) -> bool:
        return self.ends_at - self.posted_at == ANSWERED_SECONDS

    @property
    def day(self) -> int:
        """The day that is stored with the challenge's boards, such as 20261121.

        Boards stay secret until the end of the following day. The day is late enough for the challenge
        to be over by then.
        """
        return day_at(self.begun_at + BEGUN_SECONDS + ANSWERED_SECONDS - DAY_SECONDS)

    def is_over(self, at: int) -> bool:
        return self.state != "open" or self.ends_at <= at

    def game_as_begun(self) -> AnyGame:
        game = self.game.as_of(*self.versions)
        if game is None:
            raise TableError(_("This challenge uses rules I no longer know."))
        return game


def over_error() -> TableError:
    return TableError(_("This challenge is over."))


def _too_many_open() -> TableError:
    words = _("This server already has {n} open challenges. Answer one of them, or wait until one ends.")
    return TableError(words.format(n=MOST_OPEN))


def _too_many_posted(until: int) -> TableError:
    words = _("You've posted {n} challenges in this server in a day. You can begin the next one {when}.")
    return TableError(words.format(n=MOST_POSTED, when=when(until)))


class Challenges(Store):
    """Stores challenges, and each player's try at them."""

    def __init__(self, writer: Writer, reader: Reader, games: Mapping[str, AnyGame]) -> None:
        super().__init__(writer, reader)
        self._games = games

    async def begin(
        self, game: AnyGame, guild_id: int, channel_id: int, player: Player, at: int
    ) -> Challenge:
        """Begin a challenge. If the player has an open one in the server, return that challenge.

        Raises:
            TableError: The server already has ``MOST_OPEN`` posted and open challenges, or the player
                has posted ``MOST_POSTED`` challenges there in 24 hours.
        """
        new = {
            "id": 1 + secrets.randbelow(NUMBERS - 1),
            "game": game.info.key,
            "guild_id": guild_id,
            "channel_id": channel_id,
            "player_id": player.id,
            "secret": new_seed().hex(),
            "rules": game.info.rules_version,
            "thinking": game.thinking.version if game.thinking else 0,
            "at": at,
            "ends_at": at + BEGUN_SECONDS,
        }
        owner = {"guild_id": guild_id, "player_id": player.id}

        async def work(sql: Sql) -> Challenge | TableError | None:
            await sql.end_challenges(guild_id=guild_id, at=at)
            if await sql.own_challenge(**owner) is None:
                if await sql.count_challenges(guild_id=guild_id) >= MOST_OPEN:
                    return _too_many_open()
                posted = await sql.own_posted_challenges(**owner, since=at - DAY_SECONDS)
                if posted["number"] >= MOST_POSTED:
                    return _too_many_posted(posted["first_at"] + DAY_SECONDS)
                await sql.begin_challenge(**new)
                row = await sql.own_challenge(**owner)
                await sql.begin_challenge_try(id=row["id"], player_id=player.id, name=player.name, at=at)
            return self._read(await sql.own_challenge(**owner))

        challenge = await self._writer.write(work)
        if isinstance(challenge, TableError):
            raise challenge
        assert challenge is not None, "it has begun"
        return challenge

    async def find(self, number: int) -> Challenge | None:
        return self._read(await self._ask("challenge", id=number))

    def _read(self, row: Record | None) -> Challenge | None:
        if row is None or row["game"] not in self._games:
            return None
        values = dict(row)
        versions = values.pop("rules"), values.pop("thinking")
        values |= {"game": self._games[row["game"]], "secret": bytes.fromhex(row["secret"])}
        return Challenge(**values, versions=versions)

    async def scores(self, challenge: Challenge, player_id: int) -> str | None:
        """Return the scores of a player's finished matches. Return None if the player has not begun."""
        scores = await self._ask("challenge_scores", id=challenge.id, player_id=player_id)
        return None if scores is None else str(scores)

    async def answer(self, challenge: Challenge, player: Player, at: int) -> None:
        """Begin a player's try at another player's challenge, and extend the challenge's time limit.

        Raises:
            TableError: The challenge is over, or the player had a try and then deleted their data.
        """
        values = {"id": challenge.id, "at": at}

        async def work(sql: Sql) -> TableError | None:
            key = f"{challenge.game.info.key} challenge"
            if await kept_count(sql, try_of(player.id, key, challenge.id)):
                return TableError(_("Your account has played these boards before."))
            if not await sql.extend_challenge(**values, seconds=ANSWERED_SECONDS):
                return over_error()
            await sql.begin_challenge_try(**values, player_id=player.id, name=player.name)
            return None

        if (error := await self._writer.write(work)) is not None:
            raise error

    async def record_end(self, sql: Sql, match: Match, results: Sequence[Result]) -> Facts:
        """Record the score of a challenge's finished match in the transaction that ends the match."""
        if match.type.challenge:
            await self._score(sql, match, own_score(match, results), match.ended_at or 0)
        return {}

    async def count_as_lost(self, match: Match, at: int) -> None:
        """Record a match of a challenge as lost, because it was closed without a result."""
        await self._writer.write(lambda sql: self._score(sql, match, LOST, at))

    async def _score(self, sql: Sql, match: Match, score: str, at: int) -> None:
        """Record the score of a player's match in a challenge.

        After the player's last match, schedule the challenge's post or an edit of the post. If the
        server already has ``MOST_OPEN`` challenges, the post has to wait.
        """
        number, board = match.type.challenge, match.type.board
        is_last = board + 1 == count_in(self._games[match.game], match)
        values = {"id": number, "player_id": match.host_id, "at": at}
        if not await sql.score_challenge(
            **values, board=board, score=score, ended_at=at if is_last else 0
        ):
            return
        challenge = self._read(await sql.challenge(id=number))
        if not is_last or challenge is None:
            return
        guild_id, slot = challenge.guild_id, challenge.slot
        if not challenge.posted_at:
            await _post_waiting(sql, guild_id, at)
        elif (post := await find_post(sql, guild_id, slot)) is not None and post.message_id:
            await sql.wake_post(guild_id=guild_id, slot=slot, at=next_edit_at(post, at))

    async def post_waiting(self, guild_id: int, at: int) -> None:
        """Schedule the posts of a server's finished challenges for which there is room now."""
        await self._writer.write(lambda sql: _post_waiting(sql, guild_id, at))

    async def close(self, challenge: Challenge, at: int) -> None:
        async def work(sql: Sql) -> None:
            await sql.close_challenge(id=challenge.id, at=at)
            await sql.wake_post(guild_id=challenge.guild_id, slot=challenge.slot, at=at)
            await _post_waiting(sql, challenge.guild_id, at)

        await self._writer.write(work)

    async def results(self, challenge: Challenge) -> list[tuple[LeaderboardRow, str]]:
        """Return the players who have finished all matches of a challenge, best first, with scores."""
        guild_id = challenge.guild_id

        async def work(sql: Sql) -> list[tuple[LeaderboardRow, str]]:
            rows = [row async for row in sql.challenge_results(id=challenge.id, guild_id=guild_id)]
            players = [LeaderboardRow(0, row["player_id"], row["name"], 0, 0, {}) for row in rows]
            scores = [row["scores"] for row in rows]
            return list(zip(await shown_names(sql, guild_id, players), scores, strict=True))

        return await self._reader.run(work)

    async def mention(self, challenge: Challenge, friend_id: int) -> None:
        """Record that a challenge mentions a user. Called before the message is sent.

        Raises:
            TableError: The user has blocked such mentions, or the challenge has already mentioned a
                user.
        """
        if await self.is_blocked(friend_id):
            raise TableError(_("This player doesn't want to be pinged in challenges."))
        if not await self._do("mention_friend", id=challenge.id, friend_id=friend_id):
            raise TableError(_("A challenge pings one friend, and only once."))

    async def is_blocked(self, player_id: int) -> bool:
        """Return whether the player has chosen that no challenge mentions them."""
        return await self._ask("is_blocked", player_id=player_id) is not None

    async def set_blocked(self, player_id: int, *, is_blocked: bool) -> None:
        await self._do("block_challenges" if is_blocked else "allow_challenges", player_id=player_id)


async def _post_waiting(sql: Sql, guild_id: int, at: int) -> None:
    """Schedule the posts of finished challenges, until a server has ``MOST_OPEN`` open ones.

    The challenges that have waited longest are posted first.
    """
    await sql.end_challenges(guild_id=guild_id, at=at)
    room = max(0, MOST_OPEN - await sql.count_challenges(guild_id=guild_id))
    for row in [row async for row in sql.waiting_challenges(guild_id=guild_id, limit=room)]:
        await sql.post_challenge(id=row["id"], at=at, ends_at=at + UNANSWERED_SECONDS)
        slot, channel_id = f"{POST} {row['id']}", row["channel_id"]
        await add_post(sql, RegularPost(guild_id, slot, day_at(at), channel_id, wakes_at=at))
