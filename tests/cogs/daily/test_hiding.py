"""A day's deal that still counts is hidden from every player who has not finished it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cogs.stored_moves import win_deal
from tests.discord.bot_harness import Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.solitaire_player import deal_number_and_par, give_up, open_results_of_today

DAY = 24 * 60 * 60
MADE_UP = ("dr:0", "dr:1", "dr:99999", "dr:20260230", "dr:20270101", "dr:99991231", "bd:20260101:0")
ONLY_FINISHED = "only players who have finished it can see the results"


def has_results(seen: Seen) -> bool:
    """Return whether a message shows the winners of a day."""
    return "Ann" in seen.alt


async def result_messages(person: Person, label: str | None = None) -> list[Seen]:
    """Return everything shown to a player that asks for a day's results, of today or by a button."""
    page = response_of(await person.slash("leaderboard", board="daily"))
    if label is not None:
        page = response_of(await person.press(label, page))
    answers = [ephemeral_reply(await person.press("Results", page))]
    answers += [response_of(await person.send(page, custom_id)) for custom_id in MADE_UP]
    return [page, *answers]


async def test_todays_public_board_shows_no_results(tmp_path: Path) -> None:
    """A board of today is for all to see without results, and a made-up button shows none either."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        for page in await result_messages(ben):
            assert not has_results(page)
        await ben.slash("solitaire daily")
        for page in await result_messages(ben):
            assert not has_results(page)
        await ben.slash("solitaire daily")
        await give_up(ben)
        public = response_of(await ben.slash("leaderboard", board="daily"))
        assert ONLY_FINISHED in public.text
        assert public.labels == ["Play this deal", "Results"]
        assert has_results(await open_results_of_today(ben))


async def test_a_private_page_hides_todays_results_before_the_try(tmp_path: Path) -> None:
    """A private page of a past day leads to today's without results, before the player's try."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        page = await open_results_of_today(ann)
        await place.wait(DAY)
        await ann.slash("solitaire daily")
        await win_deal(place, ann)
        today = response_of(await ann.slash("leaderboard", board="daily"))
        copy = ephemeral_reply(await ben.press("◀ 2026-01-01", today))
        assert ONLY_FINISHED in response_of(await ben.press("2026-01-02 ▶", copy)).text
        assert has_results(response_of(await ann.send(page, "bd:20260102:0:after")))
        assert ONLY_FINISHED in response_of(await ben.send(copy, "bd:20260101:0:before")).text


async def test_yesterdays_deal_is_hidden_while_a_try_of_it_counts(tmp_path: Path) -> None:
    """Ann can still win on the next day, so until its end no other user shows or sees her deal there."""
    pytest.importorskip("cogs.replays")
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        await ben.slash("solitaire daily")
        number, notice = await deal_number_and_par(place), place.notice
        await win_deal(place, ben)
        over, match_id = place.table, place.table.match_id
        await ann.slash("solitaire daily")
        await place.wait(DAY)

        assert (await cleo.slash("solitaire archive", day="2026-01-01")).ephemeral
        assert await deal_number_and_par(place) == number
        await give_up(cleo)
        assert (await cleo.press("Same deal again (practice)")).ephemeral
        await give_up(cleo)
        assert (
            "move 0 of" in ephemeral_reply(await cleo.slash("replay", match=place.table.match_id)).text
        )

        await ben.press("Share", over)
        post = place.messages[-1]
        assert not post.alt
        for asked in (
            await cleo.press("Watch", post),
            await cleo.slash("verify", match=match_id),
            await cleo.press("Results", notice),
        ):
            assert "can still win" in ephemeral_reply(asked).text
        for page in await result_messages(cleo, "◀ 2026-01-01"):
            assert "Ben" not in page.alt
        replay = ephemeral_reply(await ben.slash("replay", match=match_id))
        assert "move 0 of" in replay.text
        sharing = await ben.pick("all", replay, f"x:{match_id}:0")
        assert "can still win" in ephemeral_reply(sharing).text
        assert "can still win" in ephemeral_reply(await ben.slash("verify", match=match_id)).text

        await place.wait(DAY)
        assert "move 0 of" in ephemeral_reply(await cleo.press("Watch", post)).text
        assert "Secret:" in ephemeral_reply(await cleo.slash("verify", match=match_id)).text
        assert not (await cleo.slash("solitaire archive", day="2026-01-01")).ephemeral
