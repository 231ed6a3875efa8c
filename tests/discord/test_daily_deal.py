"""The deal of the day, fair to all: nobody knows it before, and nobody has more than the one try."""

from __future__ import annotations

from pathlib import Path

from bot.games.american_toad.rules import open_deal
from bot.games.american_toad.solutions import DEAL_NODES, best_line
from bot.games.american_toad.state import write
from tests.discord.patience import deal_of, play, told_at
from tests.discord.pond import Person, Pond, pond, shown, told

DAY = 24 * 60 * 60
DEALS = "american_toad"


def said_by(place: Pond) -> str:
    """Return all that the bot shows in the channel, and what it logs."""
    seen = [f"{one.text} {one.alt} {one.custom_ids} {one.labels}" for one in place.messages]
    return "\n".join([*seen, *map(str, place.logs)])


async def win(place: Pond, person: Person) -> int:
    """Have somebody win the deal at the table; returns its number."""
    number, _par = await deal_of(place)
    for move in best_line(open_deal(number).position, nodes=DEAL_NODES):
        await play(place, person, write(move))
    return number


async def give_up(person: Person) -> None:
    """Have somebody give up the deal at the table."""
    await person.press("Give up", shown(await person.press("Give up")))


async def test_no_other_installation_has_the_same_deal(tmp_path: Path) -> None:
    """The day alone does not tell its deal, here the same before and after a restart."""
    numbers = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        async with pond(tmp_path / name) as place:
            ann, ben = place.person("Ann"), place.person("Ben")
            await ann.slash("solitaire daily")
            numbers.append((await deal_of(place))[0])
            await place.restart()
            await ben.slash("solitaire daily")
            assert (await deal_of(place))[0] == numbers[-1]
    assert numbers[0] != numbers[1]


async def test_the_number_is_told_when_the_day_is_over(tmp_path: Path) -> None:
    """Neither the try nor what comes after it tells the number, until that is of no use any more."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        number, _par = await deal_of(place)
        await ann.press("Hint")
        await give_up(ann)
        looked = shown(await ann.press("Where was it lost?"))
        await ann.press(looked.label("Go back to move"), looked)
        await give_up(ann)
        await ann.press("Same deal again")
        assert (await deal_of(place))[0] == number
        assert "This try doesn't count" in place.table.text
        assert str(number) not in said_by(place)
        await place.wait(DAY)
        await ann.press("Turn the stock")
        assert f"deal {number}" in place.table.text


async def test_a_late_winner_shares_the_number(tmp_path: Path) -> None:
    """Who ends the try on a later day has the number in what is shared."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        await place.wait(DAY)
        number = await win(place, ann)
        assert f"🐸 Ribit deal of 2026-01-01 · deal {number}" in place.table.text


THE_DAYS = "That's the deal of the day."


async def test_nobody_rehearses_the_deal_of_the_day(tmp_path: Path) -> None:
    """By its number, by another's finished try or by a button that is made up: only the one try."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_of(place)
        tried, match_id = place.table, place.table.match_id
        for person in (ann, ben):
            assert "out of date" in told(await person.send(tried, f"a:{match_id}:same")).text
            assert "out of date" in told(await person.send(tried, f"a:{match_id}:new")).text
        await give_up(ann)
        over = place.table
        looked = shown(await ann.press("Where was it lost?"))
        assert THE_DAYS in told(await ben.press("Same deal again")).text
        assert THE_DAYS in told(await ben.slash("solitaire start", deal=number)).text
        assert "not at this table" in told(await ben.send(over, f"q:{match_id}:lost")).text
        for made_up in (looked.custom_ids[0], *looked.custom_ids[1:]):
            await ben.send(over, made_up)
        assert {match.host_id for match in await place.live()} == set(), "nobody was dealt to"
        await place.restart()
        await ben.slash("solitaire daily")
        assert await deal_of(place) == (number, par)
        place.channel = place.guild.create_text_channel("elsewhere")
        assert "Finish that try first" in told(await ben.slash("solitaire start", deal=number)).text
        await ann.slash("solitaire start", deal=number)
        assert await deal_of(place) == (number, par)
        assert "This try doesn't count" in place.table.text


async def test_a_try_is_not_closed_without_a_result(tmp_path: Path) -> None:
    """A button of tables for several, made up for a deal, does not take the loss away."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire daily")
        asked = shown(await ann.press("Give up"))
        await ann.send(asked, f"a:{place.table.match_id}:stop")
        assert [match.host_id for match in await place.live()] == [ann.id]


async def test_the_deals_of_past_days_are_played_for_fun(tmp_path: Path) -> None:
    """By their numbers, by anybody, and they count nowhere; not beside one's own try of that day."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        number, par = await deal_of(place)
        await place.wait(DAY)
        await ben.slash("solitaire start", deal=number)
        assert await deal_of(place) == (number, par)
        await win(place, ben)
        assert "No finished matches yet" in shown(await ben.slash("profile")).text
        place.channel = place.guild.create_text_channel("elsewhere")
        assert "Finish that try first" in told(await ann.slash("solitaire start", deal=number)).text


async def test_who_was_helped_stands_below(tmp_path: Path) -> None:
    """Fewer moves with a peek rank below more without, are marked, and are no part of the mean."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire daily")
        await ann.press("Peek")
        assert "Peek" in told_at(place)
        await win(place, ann)
        await ben.slash("solitaire daily")
        await ben.press("Turn the stock")
        await ben.press("Undo")
        await win(place, ben)
        board = shown(await ann.slash("leaderboard", board="daily"))
        first, second = board.alt.split("1 Ben: ")[1].split("2 Ann: ")
        assert "yes" not in first
        assert "yes" in second
        assert "ranks below all who had none" in board.text
        assert "Against par" not in shown(await ann.slash("profile")).text
        assert "Against par: best **±0**" in shown(await ben.slash("profile")).text


async def test_a_streak_cannot_be_mended(tmp_path: Path) -> None:
    """A day counts for it when it is won before the next-but-one deal, however many were opened."""
    async with pond(tmp_path) as place:
        ann, channels = place.person("Ann"), [place.channel, place.guild.create_text_channel("other")]
        for place.channel in channels:
            await ann.slash("solitaire daily")
            await place.wait(DAY)
        rows = []
        for place.channel in reversed(channels):
            await win(place, ann)
            rows.append(place.table.text.partition("To share:")[2].count("1 in a row"))
        assert rows == [1, 0], "the first of them came too late"
        profile = shown(await ann.slash("profile")).text
        assert "2 deals of the day won, **1 in a row**, at most 1 in a row" in profile
