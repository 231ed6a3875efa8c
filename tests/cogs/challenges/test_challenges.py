"""Challenges from the button below a match to the winner, and what they withstand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.games import games
from bot.matches.duels import LOST, WON, count_of
from bot.matches.match import Match
from bot.messages.components import Content
from bot.storage.database_address import Server
from bot.storage.regular_posts import PostSettings, RegularPost, RegularPosts
from bot.storage.writer import UnreachableDatabaseError
from cogs.challenges.store import Challenge, Challenges
from tests.discord.admins import add_admin, add_moderator, change_settings
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.duel_boards import play_moves
from tests.discord.fleet import fleet_harness
from tests.discord.regular_posts import store_toad_win
from tests.discord.strict_discord import change_thread, deny_permissions, strict_discord
from tests.discord.test_guests import KINDS, open_abroad
from tests.discord.test_leaving import add_bot, open_thread, remove_bot, send_guild_create
from tests.test_languages import set_language

HOUR, DAY, MANY = 60 * 60, 24 * 60 * 60, 30
USER_MENU = 5
WINS = dict[int, int]()
"""The number of boards that each player wins, by user ID, whatever happens at the boards."""


def stored_score(board: int, player_id: int) -> str:
    return WON if board < WINS.get(player_id, 0) else LOST


@pytest.fixture(autouse=True)
def wins(monkeypatch: pytest.MonkeyPatch) -> dict[int, int]:
    """Return ``WINS``, empty."""

    def score(match: Match, _results: Any) -> str:
        return stored_score(match.type.board, match.host_id)

    monkeypatch.setattr("cogs.challenges.store.own_score", score)
    WINS.clear()
    return WINS


_numbers: Iterator[int] = count(1)


async def won_replay(place: BotHarness, person: Person) -> Seen:
    """Return the replay of a new match that a player has won against another."""
    pytest.importorskip("cogs.replays")
    number = next(_numbers)
    await store_toad_win(place, number, person, place.person("Zoe"))
    return response_of(await person.slash("replay", match=f"toad{number}"))


async def run_statement(place: BotHarness, statement: str, **values: Any) -> None:
    await place.bot.database.writer.write(lambda sql: getattr(sql, statement)(**values))


async def give_up(person: Person, seen: Seen) -> None:
    await person.press("Give up", ephemeral_reply(await person.press("Give up", seen)))


async def finish_challenge(place: BotHarness, person: Person, seen: Seen, give: str = "Give up") -> Seen:
    """Give up a player's board and the last one, store the scores between them. Return the results."""
    stored = await place.stored(seen.match_id)
    number = stored.match.type.challenge
    about = {"id": number, "player_id": person.id, "at": place.now, "ended_at": 0}
    while seen.custom_ids:
        if give in seen.labels:  # otherwise the toad has won meanwhile
            await person.press(give, ephemeral_reply(await person.press(give, seen)))
        for board in range(count_of(stored.game, number) - 1):  # a board that has a score keeps it
            score = stored_score(board, person.id)
            await run_statement(place, "score_challenge", board=board, score=score, **about)
        seen = response_of(await person.send(seen, play_button_id(seen)))
    return seen


def play_button_id(seen: Seen) -> str:
    return next(each for each in seen.custom_ids if each.startswith("cp:"))


def friend_menu_id(post: Seen) -> str:
    return play_button_id(post).replace("cp:", "cf:")


async def choose_friend(place: BotHarness, person: Person) -> tuple[Seen, str]:
    """Let a player post a challenge. Return its results, and the ID of their menu of friends."""
    seen = ephemeral_reply(await person.press("Challenge", await won_replay(place, person)))
    results = await finish_challenge(place, person, seen)
    await place.wait(1)
    return results, friend_menu_id(challenge_posts(place)[-1])


async def post_challenge(place: BotHarness, person: Person) -> Seen:
    """Let a player finish the boards of a new challenge, and return the post."""
    await finish_challenge(
        place, person, response_of(await person.press("Challenge", await won_replay(place, person)))
    )
    await place.wait(1)
    return challenge_posts(place)[-1]


def challenge_posts(place: BotHarness) -> list[Seen]:
    return [seen for seen in place.messages if seen.text.strip().startswith("### ⚔️")]


async def play_challenge(place: BotHarness, person: Person, post: Seen) -> Seen:
    """Let a player play the boards of a challenge to the end, and return the results."""
    return await finish_challenge(place, person, ephemeral_reply(await person.press("Play", post)))


async def test_a_challenge_post_lists_results_and_names_the_winner(
    tmp_path: Path, wins: dict[int, int]
) -> None:
    """A player's result is posted, another beats it, and the post names the winner after three days."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins |= {ann.id: 2, ben.id: 3}
        seen = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "Board 1 of 4" in seen.text
        assert "One try counts" in seen.text
        await play_moves(place, ann, seen)
        seen = response_of(await ann.press("Next board", seen))
        assert "Board 2 of 4" in seen.text
        results = await finish_challenge(place, ann, seen)
        assert "2 of 4" in results.text
        await place.wait(1)
        [post] = challenge_posts(place)
        assert "Ann won 2 of 4 boards. Can you beat that?" in post.text
        seen = ephemeral_reply(await ben.press("Play", post))
        assert "Ann" not in seen.text
        results = await finish_challenge(place, ben, seen)
        assert "**#1** ▲ ▲ ▲ ▼ **Ben** · 3 of 4" in results.text
        await place.wait(60)
        assert "**#2** ▲ ▲ ▼ ▼ **Ann** · 2 of 4" in challenge_posts(place)[0].text
        assert "3 of 4" in ephemeral_reply(await ben.press("Play", post)).text  # there is no second try
        await place.wait(DAY)
        assert challenge_posts(place)[0].labels == ["Play", "Close"]
        await place.wait(2 * DAY)
        [over] = challenge_posts(place)
        assert "🏆 **Ben** wins." in over.text
        assert over.labels == []
        assert await place.bot.database.regular_posts.of_server(place.guild.id) == []


async def test_a_challenger_has_a_day_for_the_boards(tmp_path: Path) -> None:
    """Afterwards, the next board is refused with the reason, and the player can begin anew."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        await give_up(ann, board)
        await place.wait(DAY)
        refused = ephemeral_reply(await ann.press("Next board", board))
        assert "You had a day to play these boards" in refused.text
        assert challenge_posts(place) == []
        begun = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "Board 1" in begun.text


async def test_an_unanswered_challenge_ends_after_a_day(tmp_path: Path) -> None:
    """A challenge without an answer ends after a day. Until then its player cannot begin another."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await post_challenge(place, ann)
        refused = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "You have an open challenge" in refused.text
        await place.wait(DAY)
        assert "No one has answered" in challenge_posts(place)[0].text
        await post_challenge(place, ann)
        assert len(challenge_posts(place)) == 2


@pytest.mark.parametrize("is_sent", [True, False])
async def test_a_restart_does_not_duplicate_the_post(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_sent: bool
) -> None:
    """A process that ends before or after it has sent the post leaves one post, and a board goes on."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await give_up(ann, ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann))))
        await place.restart()
        seen = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "Board 2 of 4" in seen.text
        killed, change = place.bot.database.regular_posts, RegularPosts.change

        async def change_while_alive(store: RegularPosts, *asked: Any) -> None:
            if store is killed and (challenge_posts(place) or not is_sent):
                raise UnreachableDatabaseError
            await change(store, *asked)

        monkeypatch.setattr(RegularPosts, "change", change_while_alive)
        await finish_challenge(place, ann, seen)
        await place.wait(1)
        assert len(challenge_posts(place)) == is_sent
        await place.restart()
        await place.wait(61)
        assert len(challenge_posts(place)) == 1


async def test_a_challenge_keeps_its_boards_across_an_update(
    tmp_path: Path, wins: dict[int, int]
) -> None:
    """A challenge is finished, shown and answered with the number of boards with which it began."""
    newest = games()["toad"]
    before = newest.by_rules(3)
    assert before is not None
    assert before.duel is not None
    before = replace(before, duel=replace(before.duel, challenge_boards=2))
    known = {**games(), "toad": before}
    async with bot_harness(tmp_path, known=known) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins[ann.id] = 1
        rules = response_of(await ann.slash("toad rules"))
        board = ephemeral_reply(await ann.send(rules, "cb:toad"))
        assert "Board 1 of 2" in board.text
        await give_up(ann, board)
        known["toad"] = replace(newest, earlier=(before,))
        await place.restart()
        board = ephemeral_reply(await ann.send(rules, "cb:toad"))
        assert "Board 2 of 2" in board.text
        await give_up(ann, board)
        assert "1 of 2" in response_of(await ann.press("See the challenge", board)).text
        await place.wait(1)
        [post] = challenge_posts(place)
        assert "Ann won 1 of 2 boards" in post.text
        board = ephemeral_reply(await ben.press("Play", post))
        for words in ("Board 1 of 2", "Board 2 of 2"):
            assert words in board.text
            await give_up(ben, board)
            board = response_of(await ben.send(board, play_button_id(board)))
        assert "**#2** ▼ ▼ **Ben** · 0 of 2" in board.text
        await place.wait(3 * DAY)
        assert "🏆 **Ann** wins." in challenge_posts(place)[0].text
        await ann.send(rules, "cb:toad")
        [match] = [match for match in await place.live() if match.type.challenge]
        assert match.rules_version == newest.info.rules_version


async def test_equal_players_share_the_win(tmp_path: Path, wins: dict[int, int]) -> None:
    """If both players have won the same number of boards, the final post announces a tie."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins |= {ann.id: 1, ben.id: 1}
        await play_challenge(place, ben, await post_challenge(place, ann))
        await place.wait(3 * DAY)
        assert "A tie" in challenge_posts(place)[0].text


async def test_names_and_open_challenges_are_limited_to_ten(tmp_path: Path) -> None:
    """An eleventh player is counted, and an eleventh challenge has to wait."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        number = int(play_button_id(await post_challenge(place, ann)).removeprefix("cp:"))
        for player_id in range(1, 11):
            own = {"id": number, "player_id": player_id, "at": place.now}
            await run_statement(place, "begin_challenge_try", name=f"P{player_id}", **own)
            await run_statement(
                place, "score_challenge", board=0, score="0000", ended_at=place.now, **own
            )
        await begin_others(place, 9)
        dot = place.person("Dot")
        begun = ephemeral_reply(await dot.press("Challenge", await won_replay(place, dot)))
        assert "Board 1" in begun.text, "challenges that are not posted block nobody"
        await post_others(place, range(1, 10))
        await place.bot.post_schedule.refresh(place.guild.id)
        await place.wait(1)
        assert "and 1 more" in challenge_posts(place)[0].text
        ben = place.person("Ben")
        assert (
            "10 open challenges"
            in ephemeral_reply(await ben.press("Challenge", await won_replay(place, ben))).text
        )


async def begin_others(place: BotHarness, number: int) -> None:
    """Store challenges of other players that have begun and are not posted yet."""
    for player_id in range(1, number + 1):
        row = {"id": player_id, "game": "toad", "guild_id": place.guild.id, "channel_id": 1}
        row |= {"player_id": player_id, "secret": "00", "rules": 1, "thinking": 1}
        await run_statement(place, "begin_challenge", at=place.now, ends_at=place.now + DAY, **row)


async def post_others(place: BotHarness, challenge_ids: Iterable[int]) -> None:
    """Store that the challenges from ``begin_others`` are posted. They end after three days."""
    for challenge_id in challenge_ids:
        ends_at = place.now + 3 * DAY
        await run_statement(place, "post_challenge", id=challenge_id, at=place.now, ends_at=ends_at)


@pytest.mark.parametrize("is_closed", [True, False])
async def test_an_eleventh_result_waits_until_a_challenge_ends(
    tmp_path: Path, *, is_closed: bool
) -> None:
    """Results that are finished while the server is full are posted later, and their players know it."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = place.person("Ann"), place.person("Ben"), place.person("Cy")
        await begin_others(place, 9)
        await post_others(place, range(1, 9))
        post = await post_challenge(place, ben)
        await place.wait(HOUR)
        boards = [
            ephemeral_reply(await person.press("Challenge", await won_replay(place, person)))
            for person in (ann, cy)
        ]
        await post_others(place, [9])
        for person, board in zip((ann, cy), boards, strict=True):
            await place.wait(1)
            results = await finish_challenge(place, person, board)
            assert "This server already has 10 open challenges" in results.text
            assert f"<#{place.channel.id}>" in results.text
            assert friend_menu_id(post) not in str(results.message.components)
        await place.wait(60)
        assert len(challenge_posts(place)) == 1
        again = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "already has 10 open challenges" in again.text
        if is_closed:
            await ben.press("Close", ephemeral_reply(await ben.press("Close", post)))
        await place.wait(120 if is_closed else DAY - HOUR)
        assert "Ann won 0 of 4 boards" in challenge_posts(place)[-1].text
        assert len(challenge_posts(place)) == 2, "the one who has waited longest"


async def test_a_result_that_is_never_posted_is_explained(tmp_path: Path) -> None:
    """If no challenge of the server ends within the day, the player learns why nothing was posted."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        number = (await place.stored(board.match_id)).match.type.challenge
        await begin_others(place, 10)
        await post_others(place, range(1, 11))
        results = await finish_challenge(place, ann, board)
        await place.wait(DAY)
        late = ephemeral_reply(await ann.send(results, f"cp:{number}"))
        assert "wasn't posted, because this server had 10 open challenges" in late.text
        assert challenge_posts(place) == []
        await place.wait(2 * DAY)
        begun = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "Board 1" in begun.text


async def test_forgetting_a_player_whose_result_waits_deletes_it(tmp_path: Path) -> None:
    """Nothing is posted when another challenge ends, and no row of the challenge is left."""
    pytest.importorskip("cogs.privacy")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        board = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        number = (await place.stored(board.match_id)).match.type.challenge
        await begin_others(place, 9)
        await post_others(place, range(1, 10))
        post = await post_challenge(place, ben)
        await finish_challenge(place, ann, board)
        await forget(place, ann)
        await ben.press("Close", ephemeral_reply(await ben.press("Close", post)))
        await place.wait(120)
        assert len(challenge_posts(place)) == 1
        tries = place.bot.database.reading.run(
            lambda sql: sql.challenge_results(id=number, guild_id=place.guild.id).__anext__()
        )
        with pytest.raises(StopAsyncIteration):
            await tries


async def test_a_friend_is_mentioned_once_and_can_block_mentions(tmp_path: Path) -> None:
    """The friend declines, is never mentioned again, and can allow it again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        seen = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        results = await finish_challenge(place, ann, seen)
        await place.wait(1)
        post = challenge_posts(place)[-1]
        menu, cleo = friend_menu_id(post), place.person("Cleo")
        await play_challenge(place, cleo, post)
        assert "already take part" in ephemeral_reply(await ann.pick(cleo.actor, results, menu)).text
        await ann.pick(ben.actor, results, menu)
        mention = place.messages[-1]
        assert f"<@{ben.id}>, Ann challenges you" in mention.text
        assert (
            "only for the player I've mentioned"
            in ephemeral_reply(await ann.press("Decline", mention)).text
        )
        blocked = ephemeral_reply(await ben.press("Never ping me", mention))
        assert "declined" in place.messages[-1].text
        await place.wait(3 * DAY)
        results, menu = await choose_friend(place, ann)
        refused = ephemeral_reply(await ann.pick(ben.actor, results, menu))
        assert "doesn't want to be pinged" in refused.text
        assert "</settings:" in blocked.text
        setting = ephemeral_reply(
            await ben.press("Challenge pings", ephemeral_reply(await ben.slash("settings")))
        )
        assert setting.text == blocked.text
        assert "can ping you" in response_of(await ben.press("Allow pings", setting)).text
        await ann.pick(ben.actor, results, menu)
        assert f"<@{ben.id}>" in place.messages[-1].text


async def test_a_player_can_post_three_challenges_a_day(tmp_path: Path) -> None:
    """Closing each challenge at once does not let a player fill the channel and ping a friend again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        for _time in range(3):
            post = await post_challenge(place, ann)
            await ann.press("Close", ephemeral_reply(await ann.press("Close", post)))
            await place.wait(60)
        refused = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        assert "You've posted 3 challenges in this server" in refused.text
        assert (
            "Board 1" in ephemeral_reply(await ben.press("Challenge", await won_replay(place, ben))).text
        )
        await place.wait(DAY)
        assert (
            "Board 1" in ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann))).text
        )


async def test_only_moderators_can_close_another_players_challenge(tmp_path: Path) -> None:
    """Other players cannot, and a try that has begun does not count any more."""
    async with bot_harness(tmp_path) as place:
        ann, ben, mo = place.person("Ann"), place.person("Ben"), add_moderator(place)
        post = await post_challenge(place, ann)
        board = ephemeral_reply(await ben.press("Play", post))
        assert "Only moderators and the player" in ephemeral_reply(await ben.press("Close", post)).text
        await mo.press("Close", ephemeral_reply(await mo.press("Close", post)))
        await place.wait(60)
        assert "closed early" in challenge_posts(place)[0].text
        await give_up(ben, board)
        assert "is over" in ephemeral_reply(await ben.send(post, play_button_id(post))).text


async def test_a_moderator_of_another_channel_cannot_close_a_challenge(tmp_path: Path) -> None:
    """A user who moderates only another channel cannot close a challenge with a made-up button there."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        number = play_button_id(await post_challenge(place, ann)).removeprefix("cp:")
        rule = discord.PermissionOverwrite(manage_messages=True)
        place.channel = place.guild.create_text_channel("own", overwrites={ben.actor.user: rule})
        private = response_of(await ben.slash("privacy"))
        refused = ephemeral_reply(await ben.send(private, f"cx:{number}:1"))
        assert "Only moderators and the player" in refused.text


async def test_a_challenge_with_a_deleted_post_can_be_closed(tmp_path: Path) -> None:
    """The player can close the challenge elsewhere, and begin another."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        post = await post_challenge(place, ann)
        place.env.backend.delete_message(place.channel.id, post.id)
        refused = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        await ann.press("Close", ephemeral_reply(await ann.press("Close", refused)))
        await place.wait(60)
        assert (
            "Board 1" in ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann))).text
        )


async def test_an_ended_post_loses_its_buttons_when_the_bot_returns(tmp_path: Path) -> None:
    """A challenge that ended while the bot was not in the server loses its buttons after the return."""
    async with bot_harness(tmp_path) as place:
        await post_challenge(place, place.person("Ann"))
        await remove_bot(place)
        await place.wait(2 * DAY)
        add_bot(place)
        await send_guild_create(place)
        await place.wait(DAY)
        assert challenge_posts(place)[0].labels == []


async def test_a_click_completes_if_the_challenge_closes_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board without a result cannot be counted any more, and the click still ends."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        post = await post_challenge(place, ann)
        board = ephemeral_reply(await ben.press("Play", post))
        await place.bot.tables.stop(board.match_id)
        read, reads = Challenges.scores, count(1)

        async def read_and_close(challenges: Challenges, about: Challenge, player_id: int) -> str | None:
            scores = await read(challenges, about, player_id)
            if (number := next(reads)) == 1:
                await challenges.close(about, place.now)
            assert number < MANY
            return scores

        monkeypatch.setattr(Challenges, "scores", read_and_close)
        assert "0 of 4" in ephemeral_reply(await ben.send(post, play_button_id(post))).text


async def test_a_banned_player_cannot_see_boards(tmp_path: Path) -> None:
    """A banned player is refused the first and the next board, in challenges of any player."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = place.person("Ann"), place.person("Ben"), place.person("Cy")
        post = await post_challenge(place, ann)
        boards = [
            ephemeral_reply(await cy.press("Play", post)),
            ephemeral_reply(await ben.send(post, "cb:toad")),
        ]
        await change_settings(place, barred=frozenset({ben.id, cy.id}))
        for person, board in zip((cy, ben), boards, strict=True):
            await give_up(person, board)
            refused = ephemeral_reply(await person.send(board, play_button_id(board)))
            assert "can't join tables" in refused.text
        assert "can't join tables" in ephemeral_reply(await ben.press("Play", post)).text
        assert "can't join tables" in ephemeral_reply(await ben.send(post, "cb:toad")).text


async def test_boards_stay_secret_while_the_challenge_is_open(tmp_path: Path) -> None:
    """Verification and shared replay moments are refused until the challenge is over."""
    pytest.importorskip("cogs.verify")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        match_id = seen.match_id
        await give_up(ann, seen)
        assert "all of them yourself" in ephemeral_reply(await ann.slash("verify", match=match_id)).text
        await finish_challenge(place, ann, response_of(await ann.send(seen, play_button_id(seen))))
        assert "can still play" in ephemeral_reply(await ann.slash("verify", match=match_id)).text
        seen = response_of(await ann.slash("replay", match=match_id))
        refused = ephemeral_reply(await ann.pick("all", seen, f"x:{match_id}:0"))
        assert "can still play" in refused.text
        await place.wait(5 * DAY)
        assert "The secret matches" in ephemeral_reply(await ann.slash("verify", match=match_id)).text


async def test_forgetting_a_player_keeps_an_anonymous_result(
    tmp_path: Path, wins: dict[int, int]
) -> None:
    """A forgotten player's result stays without the name, and the account has no second try."""
    pytest.importorskip("cogs.privacy")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins[ben.id] = 3
        post = await post_challenge(place, ann)
        await play_challenge(place, ben, post)
        data = await place.bot.database.reading.run(
            lambda sql: sql.own_data_challenge_tries(player_id=ben.id).__anext__()
        )
        assert data["scores"] == "2220"
        for person in (ann, ben):
            asked = response_of(await person.slash("privacy"))
            await person.press(asked.label("Forget me"), asked)
            await place.forget(person)
        await place.wait(60)
        [post] = challenge_posts(place)
        assert "3 of 4" in post.text
        assert "Ben" not in post.text
        assert "Ann" not in post.text
        assert "has played these boards" in ephemeral_reply(await ben.press("Play", post)).text


async def test_a_player_forgotten_during_an_edit_disappears_from_the_post(
    tmp_path: Path, wins: dict[int, int]
) -> None:
    """If a second player is forgotten while the post is edited for the first, it is edited again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins[ben.id] = 3
        await play_challenge(place, ben, await post_challenge(place, ann))
        await place.wait(60)
        types, players = place.bot.post_schedule.types, place.bot.database.players
        kind = types["challenge"]

        async def content(post: RegularPost, settings: PostSettings) -> Content | None:
            planned = await kind.content(post, settings)
            types["challenge"] = kind
            await players.forget(ben.id, -(2**62) - ben.id)
            return planned

        types["challenge"] = replace(kind, content=content)
        await place.forget(ann)
        await place.wait(60)
        [post] = challenge_posts(place)
        assert "3 of 4" in post.text
        assert "Ben" not in post.text


async def test_a_removed_player_is_not_listed_in_the_post(tmp_path: Path) -> None:
    """A player who was taken off the server's boards is not listed, and a removed name is not shown."""
    pytest.importorskip("cogs.corrections")
    async with bot_harness(tmp_path) as place:
        ann, ben, ada = place.person("Ann"), place.person("Ben"), add_admin(place)
        await play_challenge(place, ben, await post_challenge(place, ann))
        for what, person in (("player", ben), ("name", ann)):
            question = ephemeral_reply(await ada.slash("correct", what=what, player=person.actor.user))
            await ada.press("Take it off", question)
        await place.wait(60)
        [post] = challenge_posts(place)
        assert "Ben" not in post.text
        assert "Ann" not in post.text
        assert "0 of 4 boards" in post.text


async def test_a_challenge_needs_a_server_with_the_bot(tmp_path: Path) -> None:
    """The button says why not in DMs and by user install."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = ann.send_plain_dm()
        assert (
            "only challenge someone in a server" in ephemeral_reply(await ann.send(seen, "cb:toad")).text
        )


@pytest.mark.parametrize("kind", KINDS)
async def test_a_challenge_needs_the_bot_in_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The button says why not to a user who has installed the bot, and no boards are dealt."""
    async with open_abroad(tmp_path, kind, monkeypatch) as there:
        rules = response_of(await there.ann.slash("toad rules"))
        refused = ephemeral_reply(await there.ann.send(rules, "cb:toad"))
        assert "only challenge someone in a server that I'm in" in refused.text
        assert await there.place.live() == []


async def test_a_challenge_can_be_continued_in_dms(tmp_path: Path, wins: dict[int, int]) -> None:
    """A player who opens a board in DMs plays the others there, and the results link to the post."""
    pytest.importorskip("cogs.my_games")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins[ben.id] = 1
        post = await post_challenge(place, ann)
        await ben.press("Play", post)
        board = await board_in_dms(ben)
        await give_up(ben, board)
        assert "Board 2 of 4" in response_of(await ben.press("Next board", board)).text
        results = await finish_challenge(place, ben, board)
        assert "**#1** ▲ ▼ ▼ ▼ **Ben** · 1 of 4" in results.text
        assert f"The challenge is in <#{place.channel.id}>" in results.text
        await place.wait(60)
        assert "Ben" in challenge_posts(place)[0].text
        stranger = place.person("Cy")
        assert (
            "is over"
            in ephemeral_reply(await stranger.send(stranger.send_plain_dm(), play_button_id(post))).text
        )


async def test_results_in_dms_offer_no_friend_menu(tmp_path: Path) -> None:
    """The results in DMs have no menu of friends, because it lists the members of a server."""
    pytest.importorskip("cogs.my_games")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.press("Challenge", await won_replay(place, ann))
        results = await finish_challenge(place, ann, await board_in_dms(ann))
        assert "The challenge is in" in results.text
        await place.wait(1)
        [post] = challenge_posts(place)
        assert friend_menu_id(post) not in str(results.message.components)
        assert friend_menu_id(post) in str(
            ephemeral_reply(await ann.press("Play", post)).message.components
        )


async def test_leaving_the_server_ends_access_to_further_boards(tmp_path: Path) -> None:
    """A board in DMs is the last one, and a banned player gets none either."""
    pytest.importorskip("cogs.my_games")
    async with bot_harness(tmp_path) as place:
        ann, ben, cy = place.person("Ann"), place.person("Ben"), place.person("Cy")
        post = await post_challenge(place, ann)
        boards = []
        for person in (ben, cy):
            await person.press("Play", post)
            boards.append(await board_in_dms(person))
            await give_up(person, boards[-1])
        await change_settings(place, barred=frozenset({cy.id}))
        assert "can't join tables" in ephemeral_reply(await cy.press("Next board", boards[1])).text
        place.guild.remove_member(ben.actor)
        assert (
            "aren't in this challenge's server"
            in ephemeral_reply(await ben.press("Next board", boards[0])).text
        )


async def board_in_dms(person: Person) -> Seen:
    """Open the player's private board in the DMs with the bot."""
    listed = ephemeral_reply(await person.actor.user.slash("games"))
    return ephemeral_reply(await person.press_dm(listed.label("Show"), listed))


async def test_a_muted_member_cannot_post_a_challenge(tmp_path: Path) -> None:
    """A muted member cannot have the bot post. If nobody but the bot writes there, all may play."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        rule = discord.PermissionOverwrite(send_messages=False)
        place.channel = place.guild.create_text_channel("news", overwrites={ann.actor.user: rule})
        rules = response_of(await ann.slash("toad rules"))
        assert "may not write in this channel" in ephemeral_reply(await ann.send(rules, "cb:toad")).text
        everyone, bot = place.bot.guilds[0].default_role, place.bot.user
        assert bot is not None
        allowed = discord.PermissionOverwrite(send_messages=True)
        place.channel = place.guild.create_text_channel(
            "tables", overwrites={everyone: rule, bot: allowed}
        )
        rules = response_of(await ann.slash("toad rules"))
        assert "Board 1" in ephemeral_reply(await ann.send(rules, "cb:toad")).text


async def test_the_post_uses_the_servers_language_and_text_mode(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The post is in the server's language, and in words if the server has text mode."""
    async with bot_harness(tmp_path, locale="de") as place:
        ann = place.person("Ann")
        set_language(place, monkeypatch, Ann="de")
        await change_settings(place, text_tables=True)
        seen = await won_replay(place, ann)
        seen = ephemeral_reply(await ann.send(seen, "cb:toad"))
        assert "Brett 1 von 4" in seen.text
        await finish_challenge(place, ann, seen, "Aufgeben")
        await place.wait(1)
        [post] = place.messages
        assert "Ann hat 0 von 4" in post.text
        assert "verloren, verloren" in post.text


async def test_two_processes_post_once(server: Server) -> None:
    """A player in both processes has one try, and the server's process posts."""
    async with fleet_harness(server) as place:
        ann = place.person("Ann")
        rules = response_of(await ann.slash("toad rules"))
        await place.quiet()
        seen = ephemeral_reply(await ann.send(rules, "cb:frogger"))
        await finish_challenge(place, ann, seen)
        await place.quiet()
        await place.until(lambda: challenge_posts(place))
        await place.quiet()
        assert len(challenge_posts(place)) == 1


async def test_a_challenge_continues_in_dms_of_another_process(server: Server) -> None:
    """The process that gets the DMs knows the challenge's server only from Discord's answers."""
    pytest.importorskip("cogs.my_games")
    async with fleet_harness(server) as place:
        ann = place.person("Ann")
        rules = response_of(await ann.slash("frogger rules"))
        await place.quiet()
        await ann.send(rules, "cb:frogger")
        await place.quiet()
        board = await board_in_dms(ann)
        number = (await place.stored(board.match_id)).match.type.challenge
        await give_up(ann, board)
        await place.quiet()
        assert "Board 2 of 2" in response_of(await ann.send(board, f"cp:{number}")).text
        results = await finish_challenge(place, ann, await board_in_dms(ann))
        assert "The challenge is in" in results.text
        place.guild.remove_member(ann.actor)
        refused = ephemeral_reply(await ann.send(results, f"cp:{number}"))
        assert "aren't in this challenge's server" in refused.text


# ---- attacks and accidents ----------------------------------------------------------------------


async def forget(place: BotHarness, person: Person) -> None:
    """Delete a person's data with the button in ``/privacy``."""
    asked = response_of(await person.slash("privacy"))
    await person.press(asked.label("Forget me"), asked)
    await place.forget(person)


async def test_forgetting_halfway_gives_no_second_try(tmp_path: Path) -> None:
    """The open board of a forgotten player counts nowhere, and the account cannot begin again."""
    pytest.importorskip("cogs.privacy")
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        post = await post_challenge(place, ann)
        board = ephemeral_reply(await ben.press("Play", post))
        await give_up(ben, board)
        board = response_of(await ben.press("Next board", board))
        await forget(place, ben)
        await ben.press("Give up", board)
        for seen in (board, post):
            assert (
                "played these boards before"
                in ephemeral_reply(await ben.send(seen, play_button_id(post))).text
            )
        await place.restart()
        await place.wait(3 * DAY)
        assert "No one has answered" in challenge_posts(place)[0].text


async def test_a_deleted_challengers_result_is_not_posted(tmp_path: Path) -> None:
    """Nothing is posted, not even if the player goes on with the open board. Another can begin."""
    pytest.importorskip("cogs.privacy")
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        number = (await place.stored(board.match_id)).match.type.challenge
        await give_up(ann, board)
        board = response_of(await ann.press("Next board", board))
        await forget(place, ann)
        await ann.press("Give up", board)
        assert "is over" in ephemeral_reply(await ann.send(board, f"cp:{number}")).text
        await place.wait(DAY)
        assert challenge_posts(place) == []
        assert (
            "Board 1" in ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann))).text
        )


async def test_a_block_applies_in_all_servers(tmp_path: Path) -> None:
    """A user who has blocked a challenger in one server is not mentioned in another."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.pick(ben.actor, *await choose_friend(place, ann))
        await ben.press("Never ping me", place.messages[-1])
        place.guild = place.env.create_guild("The Ditch")
        place.channel = place.guild.create_text_channel("ditch")
        there = [Person(place, place.guild.add_member(person.actor.user)) for person in (ann, ben)]
        rules = response_of(await there[0].slash("toad rules"))
        results = await finish_challenge(
            place, there[0], ephemeral_reply(await there[0].send(rules, "cb:toad"))
        )
        await place.wait(1)
        refused = ephemeral_reply(
            await there[0].pick(there[1].actor, results, friend_menu_id(challenge_posts(place)[-1]))
        )
        assert "doesn't want to be pinged" in refused.text
        assert f"<@{ben.id}>" not in str([seen.text for seen in place.messages])


async def test_a_challenge_can_be_closed_without_its_channel(tmp_path: Path) -> None:
    """The challenger learns it from every button, can close the challenge, and begins another."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await finish_challenge(
            place, ann, ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        )
        await place.wait(1)
        menu, gone = friend_menu_id(challenge_posts(place)[-1]), place.channel
        place.channel = place.guild.create_text_channel("lobby")
        rules = response_of(await ann.slash("toad rules"))
        place.env.backend.delete_channel(gone.id)
        picked = await ann.send(rules, menu, values=[str(ben.id)], component_type=USER_MENU)
        assert "can't write in" in ephemeral_reply(picked).text
        opened = ephemeral_reply(await ann.send(rules, "cb:toad"))
        await ann.press("Close", ephemeral_reply(await ann.press("Close", opened)))
        await place.wait(DAY)
        assert await place.bot.database.regular_posts.of_server(place.guild.id) == []
        assert "Board 1" in ephemeral_reply(await ann.send(rules, "cb:toad")).text


async def test_a_challenge_without_a_post_ends_after_a_day(tmp_path: Path) -> None:
    """The last board counts, and the challenge that nobody can see is over after a day."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        gone, board = (
            place.channel,
            ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann))),
        )
        await give_up(ann, board)
        place.channel = place.guild.create_text_channel("lobby")
        rules = response_of(await ann.slash("toad rules"))
        place.env.backend.delete_channel(gone.id)
        await finish_challenge(place, ann, ephemeral_reply(await ann.send(rules, "cb:toad")))
        await place.wait(DAY + 60)
        assert await place.bot.database.regular_posts.of_server(place.guild.id) == []
        assert "Board 1" in ephemeral_reply(await ann.send(rules, "cb:toad")).text


async def test_a_challenge_continues_without_its_challenger(
    tmp_path: Path, wins: dict[int, int]
) -> None:
    """Others can still play, and the post names the winner."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        wins[ben.id] = 1
        post = await post_challenge(place, ann)
        place.guild.remove_member(ann.actor)
        await play_challenge(place, ben, post)
        await place.wait(3 * DAY)
        assert "🏆 **Ben** wins." in challenge_posts(place)[0].text


async def test_results_say_if_the_bot_cannot_post_the_challenge(tmp_path: Path) -> None:
    """The results say that nobody sees the challenge. The challenger can close it and begin another."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        board = ephemeral_reply(await ann.press("Challenge", await won_replay(place, ann)))
        rules = response_of(await ann.slash("toad rules"))
        await deny_permissions(place, "send_messages")
        results = await finish_challenge(place, ann, board)
        assert "can't write in" in results.text
        await place.wait(60)
        assert challenge_posts(place) == []
        await deny_permissions(place)
        opened = ephemeral_reply(await ann.send(rules, "cb:toad"))
        await ann.press("Close", ephemeral_reply(await ann.press("Close", opened)))
        assert "Board 1" in ephemeral_reply(await ann.send(rules, "cb:toad")).text


async def test_a_banned_player_cannot_mention_a_friend(tmp_path: Path) -> None:
    """A player who was banned from the server's tables cannot have the bot mention a member."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        results, menu = await choose_friend(place, ann)
        await change_settings(place, barred=frozenset({ann.id}))
        assert "can't join tables" in ephemeral_reply(await ann.pick(ben.actor, results, menu)).text
        assert f"<@{ben.id}>" not in str([seen.text for seen in place.messages])


async def test_a_muted_member_cannot_mention_a_friend(tmp_path: Path) -> None:
    """A member who was muted after beginning a challenge cannot have the bot mention a member."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        results, menu = await choose_friend(place, ann)
        denied = discord.Permissions(send_messages=True).value
        muted = Overwrite(ann.id, OverwriteType.MEMBER, 0, denied)
        place.env.backend.set_overwrite(place.channel.id, muted)
        await place.env.settle()
        refused = ephemeral_reply(await ann.pick(ben.actor, results, menu))
        assert "may not write in this channel" in refused.text
        assert f"<@{ben.id}>" not in str([seen.text for seen in place.messages])


async def test_a_block_is_stored_before_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the block cannot be stored, the friend keeps the button and can press it again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.pick(ben.actor, *await choose_friend(place, ann))
        mention = place.messages[-1]

        async def fail(*_about: Any, **_chosen: Any) -> None:
            raise UnreachableDatabaseError

        with monkeypatch.context() as broken:
            broken.setattr(Challenges, "set_blocked", fail)
            await ben.press("Never ping me", mention)
        assert "Never ping me" in place.messages[-1].labels
        await ben.press("Never ping me", mention)
        assert "declined" in place.messages[-1].text


async def test_the_winner_is_announced_in_an_archived_thread(tmp_path: Path) -> None:
    """A thread without new messages is archived. The challenge's post there still names the winner."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        open_thread(place)
        with strict_discord():
            rules = response_of(await ann.slash("toad rules"))
            await finish_challenge(place, ann, ephemeral_reply(await ann.send(rules, "cb:toad")))
            await place.wait(1)
            await play_challenge(place, ben, challenge_posts(place)[0])
            await place.wait(120)
            await change_thread(place, archived=True)
            await place.wait(3 * DAY)
            [post] = challenge_posts(place)
            assert "🏆 A tie: **Ann**, **Ben**." in post.text
            assert post.labels == []
