"""Tests of the deal of the day: it is secret before the day, and each player has one try."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar, cast

from bot.engine.worker_task import Read, Task
from bot.matches.match import Entry, Player, Result, Stage
from bot.sessions.worker_tasks import FindDeal
from tests.cogs.stored_moves import store_moves, store_until_nearly_won, win_deal
from tests.discord.bot_harness import (
    TOKEN_SECONDS,
    BotHarness,
    Person,
    Thinkers,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.solitaire_player import (
    deal_number_and_par,
    give_up,
    layout_text,
    open_results_of_today,
    play_move,
    shown_answer,
    table_layout,
)
from tests.storage.matches import SEED, move_change, new_lobby

T = TypeVar("T")

DAY = 24 * 60 * 60
DEALS = "american_toad"
MIDNIGHT = 1_767_312_000
"""The end of 2026-01-01, the harness's first day."""


def all_text(place: BotHarness) -> str:
    """Return all messages in the channel and the log."""
    seen = [f"{one.text} {one.alt} {one.custom_ids} {one.labels}" for one in place.messages]
    return "\n".join([*seen, *map(str, place.logs)])


async def test_daily_deals_differ_between_installations(tmp_path: Path) -> None:
    """The day's deal survives a restart, but differs between installations."""
    numbers = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        async with bot_harness(tmp_path / name) as place:
            ann, ben = place.person("Ann"), place.person("Ben")
            await ann.slash("solitaire daily")
            numbers.append((await deal_number_and_par(place))[0])
            await place.restart()
            await ben.slash("solitaire daily")
            assert (await deal_number_and_par(place))[0] == numbers[-1]
    assert numbers[0] != numbers[1]


async def test_the_deal_number_is_hidden_while_wins_count(tmp_path: Path) -> None:
    """The try and later messages show the deal's number only after two days, when wins stop counting."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, _par = await deal_number_and_par(place)
        await store_until_nearly_won(place, ann)  # where searches are short
        await ann.press("Hint")
        await give_up(ann)
        looked = response_of(await ann.press("Where was it lost?"))
        await ann.press("Play on", looked)
        await give_up(ann)
        await ann.press("Same deal again (practice)")
        assert (await deal_number_and_par(place))[0] == number
        assert "This try doesn't count" in place.table.text
        for _day in range(2):
            assert str(number) not in all_text(place)
            assert str(number) not in place.table.text
            await place.wait(DAY)
            await ann.press("Turn the stock")
        assert f"deal {number}" in place.table.text


async def test_a_late_winner_sees_the_deal_number(tmp_path: Path) -> None:
    """After no win counts for a streak any more, the end shows the number, and the share the picture."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        await place.wait(2 * DAY)
        number = await win_deal(place, ann)
        assert f"It was deal {number}." in place.table.text
        assert "next deal" not in place.table.text
        await ann.press("Share")
        post = place.messages[-1]
        assert "Ann wins deal of the day" in post.alt
        await place.person("Ben").press("Play this deal", post)
        assert (await deal_number_and_par(place))[0] == number
        assert "This try doesn't count" in place.table.text


THE_DAYS = "That's the deal of the day."


async def test_the_daily_deal_cannot_be_practised_before_the_try(tmp_path: Path) -> None:
    """Before the day's try is finished, the deal cannot be played in any other way."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_number_and_par(place)
        tried, match_id = place.table, place.table.match_id
        for person in (ann, ben):
            assert "out of date" in ephemeral_reply(await person.send(tried, f"a:{match_id}:same")).text
            assert "out of date" in ephemeral_reply(await person.send(tried, f"a:{match_id}:new")).text
        await give_up(ann)
        over = place.table
        looked = response_of(await ann.press("Where was it lost?"))
        assert "out of date" in ephemeral_reply(await ben.send(over, f"a:{match_id}:same")).text
        assert THE_DAYS in ephemeral_reply(await ben.slash("solitaire start", deal=number)).text
        assert "out of date" in ephemeral_reply(await ben.send(over, f"q:{match_id}:lost")).text
        for made_up in (looked.custom_ids[0], *looked.custom_ids[1:]):
            await ben.send(over, made_up)
        assert {match.host_id for match in await place.live()} == set(), "nobody was dealt to"
        await place.restart()
        await ben.slash("solitaire daily")
        assert await deal_number_and_par(place) == (number, par)
        place.channel = place.guild.create_text_channel("elsewhere")
        assert (
            "Finish that try first"
            in ephemeral_reply(await ben.slash("solitaire start", deal=number)).text
        )
        await ann.slash("solitaire start", deal=number)
        assert await deal_number_and_par(place) == (number, par)
        assert "This try doesn't count" in place.table.text


async def test_a_forged_close_button_cannot_discard_a_loss(tmp_path: Path) -> None:
    """A button of tables for several, made up for a deal, does not take the loss away."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        asked = response_of(await ann.press("Give up"))
        await ann.send(asked, f"a:{place.table.match_id}:stop")
        assert [match.host_id for match in await place.live()] == [ann.id]


async def test_past_deals_cannot_be_practised_during_an_open_try(tmp_path: Path) -> None:
    """A past day's deal can be practised for fun, but not by a player whose try of it is still open."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_number_and_par(place)
        await place.wait(DAY)
        await ben.slash("solitaire start", deal=number)
        assert await deal_number_and_par(place) == (number, par)
        await win_deal(place, ben)
        assert "No finished matches yet" in response_of(await ben.slash("profile")).text
        place.channel = place.guild.create_text_channel("elsewhere")
        assert (
            "Finish that try first"
            in ephemeral_reply(await ann.slash("solitaire start", deal=number)).text
        )


async def test_a_win_with_help_gets_no_trophy_rank_or_streak(tmp_path: Path) -> None:
    """A win with more than three hints and peeks says so, and earns no trophy, rank or streak."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        line = await store_until_nearly_won(place, ann)
        for move in line[:2]:
            await ann.press("Peek")
            assert "Peek" in shown_answer(place)
            await ann.press("Hint")
            await play_move(place, ann, move)
        for _move in range(2):
            await ann.press("Undo")
        await store_moves(place, line[:-1])
        await play_move(place, ann, line[-1])
        assert "🛟 Ann solves deal of the day 2026-01-01 with help" in place.table.text
        assert "at most 3 hints and peeks" in place.table.text
        assert not {"🏆", "📅", "in a row"} & {
            sign for sign in ("🏆", "📅", "in a row") if sign in place.table.text
        }
        await ben.slash("solitaire daily")
        await ben.press("Turn the stock")
        await ben.press("Undo")
        line = await store_until_nearly_won(place, ben)
        await ben.press("Peek")
        await store_moves(place, line[:-1])
        await play_move(place, ben, line[-1])
        assert "🏆 Ben wins" in place.table.text
        assert "📅 Place 1 of 2 in this server so far · 1 in a row" in place.table.text
        first, second = (await open_results_of_today(ann)).alt.split("1 Ben: ")[1].split("– Ann: ")
        assert "with help" not in first
        assert "with help" in second
        helped, won = response_of(await ann.slash("profile")), response_of(await ben.slash("profile"))
        assert "deal of the day won" not in helped.text
        assert "Deal of the day: 1 in a row" not in helped.alt
        assert "1 deal of the day won, **1 in a row**" in won.text
        assert "Deal of the day: 1 in a row" in won.alt


async def test_only_wins_in_time_extend_a_streak(tmp_path: Path) -> None:
    """A day counts for it when it is won before the next-but-one deal, however many were opened."""
    async with bot_harness(tmp_path) as place:
        ann, channels = place.person("Ann"), [place.channel, place.guild.create_text_channel("other")]
        for place.channel in channels:
            await ann.slash("solitaire daily")
            await place.wait(DAY)
        rows = []
        for place.channel in reversed(channels):
            await win_deal(place, ann)
            rows.append(place.table.text.count("1 in a row"))
        assert rows == [1, 0], "the first of them came too late"
        profile = response_of(await ann.slash("profile")).text
        assert "2 deals of the day won, **1 in a row**, best streak 1" in profile


async def test_simultaneous_starts_create_one_try(tmp_path: Path) -> None:
    """Of two simultaneous starts in two channels, one deals and the other is refused."""

    class Meanwhile(Thinkers):
        """While the day's deal is looked for, the same player is dealt to in another channel."""

        async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
            found = await super().ask(task, who=who, read=read)
            assert isinstance(task, FindDeal)
            day = {**cast("Mapping[str, int]", found), "daily": 20260101}
            facts = {
                "game": task.game,
                "guild_id": place.guild.id,
                "channel_id": other.id,
                "options": day,
            }
            begun = {"stage": Stage.PLAYING, "seed": SEED}
            match = new_lobby("other", Player(ann.id, ann.name), limit=1, **facts, **begun)
            assert await place.bot.database.journal.create(match, "other") is None
            return found

    async with bot_harness(tmp_path, opponents=Meanwhile()) as place:
        ann, other = place.person("Ann"), place.guild.create_text_channel("other")
        refused = ephemeral_reply(await ann.slash("solitaire daily"))
        assert "You've already had today's deal" in refused.text
        led = ephemeral_reply(await ann.slash("solitaire daily"))
        assert "You're already playing today's deal" in led.text
        assert [match.id for match in await place.live()] == ["other"]


async def test_only_its_player_can_continue_a_try_in_any_channel(tmp_path: Path) -> None:
    """A try continues in another channel or in DMs, even after a restart. Other users cannot play it."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        assert (await ann.slash("solitaire daily")).ephemeral
        await ann.press("Turn the stock")
        cards, before = table_layout(place), place.table
        for name in ("hand", "words", "give", "rules"):
            made_up = await ben.send(place.notice, f"a:{before.match_id}:{name}")
            assert "out of date" in ephemeral_reply(made_up).text
        await place.restart(after=TOKEN_SECONDS)
        here = response_of(await ann.actor.user.slash("solitaire daily"))
        assert cards == layout_text(here.alt)
        here = response_of(await ann.press_dm("Turn the stock", here))
        assert "2 moves" in here.text
        place.channel = place.guild.create_text_channel("elsewhere")
        assert (await ann.slash("solitaire table")).ephemeral
        await ann.press("Undo")
        assert cards == table_layout(place)
        assert [(one.guild_id, one.host_id) for one in await place.live()] == [(place.guild.id, ann.id)]
        assert "no deal" in ephemeral_reply(await ben.slash("solitaire stop")).text
        await ann.press("Give up", response_of(await ann.slash("solitaire stop")))
        assert not await place.live()


async def test_one_message_per_channel_lists_a_days_players(tmp_path: Path) -> None:
    """A day has one message per channel, which shows results only to players who have finished a try."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        assert "⏳ Playing: Ann" in place.notice.text
        await ben.press("Play this deal", place.notice)
        assert "⏳ Playing: Ann, Ben" in place.notice.text
        await place.restart()
        await ben.slash("solitaire daily")
        await win_deal(place, ben)
        assert "✅ Played: Ben" in place.notice.text
        for person, words in ((ben, "Deal of 2026-01-01"), (ann, "Finish that try first")):
            assert words in ephemeral_reply(await person.press("Results", place.notice)).text
        cem = place.person("Cem")
        assert "tried it yourself" in ephemeral_reply(await cem.press("Results", place.notice)).text
        await ann.slash("solitaire daily")
        await give_up(ann)
        assert "✅ Played: Ann, Ben" in place.notice.text
        assert "Playing" not in place.notice.text
        assert [seen.is_notice for seen in place.messages] == [True], "not one a player"
        assert not set("♠♥♦♣") & set(all_text(place))
        again = response_of(await ann.slash("solitaire daily"))
        assert "Ann gave up" in again.text
        assert "Place" not in again.text


async def test_simultaneous_players_are_listed_in_one_message(tmp_path: Path) -> None:
    """Players who begin at the same moment are in one message. A deleted message is sent again."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cem = map(place.person, ("Ann", "Ben", "Cem"))
        ann.close_dms()
        board = response_of(await cem.slash("leaderboard", board="daily"))
        await asyncio.gather(*(person.sends(board, "pd:20260101") for person in (ann, ben, ann)))
        await place.check()
        assert [seen.is_notice for seen in place.messages] == [False, True]
        assert sorted(place.notice.text.partition("Playing: ")[2].strip().split(", ")) == ["Ann", "Ben"]
        assert len(await place.live()) == 2
        place.env.backend.delete_message(place.channel.id, place.notice.id)
        await cem.slash("solitaire daily")
        assert "Cem" in place.notice.text
        assert [seen.is_notice for seen in place.messages] == [False, True]


async def test_a_try_continues_after_its_channel_is_deleted(tmp_path: Path) -> None:
    """A try whose channel was deleted continues where its player asks for it, also after a restart."""
    async with bot_harness(tmp_path) as place:
        ann, gone = place.person("Ann"), place.channel
        await ann.slash("solitaire daily")
        await ann.press("Turn the stock")
        deal = await deal_number_and_par(place)
        place.channel = place.guild.create_text_channel("dry-land")
        place.env.backend.delete_channel(gone.id)
        await place.env.settle()
        await place.restart()
        await ann.slash("solitaire daily")
        assert await deal_number_and_par(place) == deal
        assert "1 move" in place.table.text
        await give_up(ann)
        assert "Ann gave up" in ephemeral_reply(await ann.slash("solitaire daily")).text


async def test_a_try_and_another_game_can_share_a_channel(tmp_path: Path) -> None:
    """A player who plays another game in the channel of the try loses neither."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        await ann.slash("solitaire start", deal=8)
        assert "Deal of the day" in response_of(await ann.slash("solitaire daily")).alt
        assert "Deal of the day" not in response_of(await ann.slash("solitaire table")).alt
        assert len(await place.live()) == 2


async def test_a_days_board_has_buttons_to_past_days_only(tmp_path: Path) -> None:
    """The board of a day has buttons to earlier days and back, but none to future days."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        assert f"The day ends <t:{MIDNIGHT}:f>" in place.table.text
        number = await win_deal(place, ann)
        assert "📅 Place 1 of 1 in this server so far · 1 in a row" in place.table.text
        today = response_of(await ben.slash("leaderboard", board="daily"))
        assert f"This day ends <t:{MIDNIGHT}:f>" in today.text
        buttons = ["Play this deal", "Results"]
        assert today.labels == buttons, "there is no day before it, and none after it"
        await place.wait(2 * DAY)
        await place.restart()
        today = response_of(await ben.slash("leaderboard", board="daily"))
        assert today.labels == ["◀ 2026-01-01", *buttons]
        before = response_of(await ben.press("◀ 2026-01-01", today))
        assert "Deal of 2026-01-01 in The Frog Pond" in before.text
        assert f"deal {number}" in before.text
        assert "1 Ann: " in before.alt
        assert before.labels == ["2026-01-02 ▶", "Play this deal"]
        for made_up in ("bd:20260104:0:after", "bd:20261399:0:after", "pd:20260104"):
            assert (await ben.send(before, made_up)).ephemeral
        assert "Deal of 2026-01-02" in response_of(await ben.press("2026-01-02 ▶", before)).text


async def test_past_deals_can_be_played_but_do_not_count(tmp_path: Path) -> None:
    """Deals of past days are played from their board or by their date, in DMs too, and count nowhere."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, _par = await deal_number_and_par(place)
        for day in ("2026-01-01", "2026-01-02", "yesterday"):
            assert (
                "I have no deal for that day"
                in ephemeral_reply(await ben.slash("solitaire archive", day=day)).text
            )
        await give_up(ann)
        await place.wait(DAY)
        result = await ben.actor.user.slash("solitaire archive", day="2026-01-01")
        assert "This try doesn't count" in response_of(result).text
        today = response_of(await ben.slash("leaderboard", board="daily"))
        before = response_of(await ben.press("◀ 2026-01-01", today))
        await ben.press("Play this deal", before)
        assert (await deal_number_and_par(place))[0] == number
        await give_up(ben)
        assert "can still be won" in ephemeral_reply(await ben.press("Where was it lost?")).text


async def test_a_player_can_show_dm_wins_on_a_servers_board(tmp_path: Path) -> None:
    """A player can choose that wins in DMs are on a server's board from then on."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await place.bot.database.days.show(ann.id, place.guild.id, is_shown=True)
        await place.restart()
        await store_win_in_dms(place, ann)
        await store_win_in_dms(place, place.person("Ben"))
        board = await open_results_of_today(ann)
        assert "1 Ann: " in board.alt
        assert "Ben" not in board.alt


async def store_win_in_dms(place: BotHarness, person: Person) -> None:
    """Store a user's win of the first day's deal in DMs."""
    begun = {"stage": Stage.PLAYING, "seed": SEED, "options": {"deal": 1, "daily": 20260101}}
    player = Player(person.id, person.name)
    match = new_lobby(person.name, player, game=DEALS, guild_id=None, limit=1, **begun)
    assert await place.bot.database.journal.create(match, match.id) is None
    result = Result(0, True, {"up": 104, "moves": 87, "undos": 0, "helped": 0})
    change = move_change(match, Entry(0, 0, "all up"), (result,))
    assert await place.bot.database.journal.commit(change)
