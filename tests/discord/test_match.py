"""A whole match of three, from ``/toad start`` to the pot and the rematch."""

from __future__ import annotations

import re
from itertools import cycle
from pathlib import Path

import pytest

from bot.games.toad.state import Phase, count_spots
from bot.messages.components import Text
from bot.sessions.turn_clock import PAUSE_SECONDS
from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.toad_player import WAYS, is_between_rounds, is_over, make_next_move, true_state

SAFE = "Toad! You're safe until the next deal."
SEED = bytes([26]) * 32
"""Deals four rounds with toads, a Toadus Maximus and a winner to players who can count."""
MOST_MOVES = 400


async def check_screens(place: BotHarness, people: list[Person]) -> None:
    """The table names and mentions only the player to move until they act. Hands are correct."""
    state = await true_state(place)
    if state.phase is Phase.DEAL:
        assert place.reminders == []
        return
    mover = people[state.turn]
    assert f"{mover.name}'s turn" in place.table.text
    has_acted = state.phase is not Phase.TAKE
    assert len(place.reminders) == (0 if has_acted else 1)
    assert all(f"<@{mover.id}>" in line for line in place.reminders)
    for seat, person in enumerate(people):
        assert f"{person.name}: {state.lives[seat]} of 2 lives" in place.table.alt
        await person.move_hand_to_dm()
        assert bool(person.dm.choices) == (person is mover)
        red, black = count_spots(state.hands[seat])
        if seat in state.safe:
            assert "has a toad" in person.dm.alt or "Toadus Maximus!" in person.dm.alt
        elif seat in state.playing:
            assert f"Red spots: {red} of 10. Black spots: {black} of 10." in person.dm.alt


async def test_three_players_finish_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match is played to its end by DM and *My hand*, with all that can happen in it."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SEED)
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", lives=2)
        await make_false_claim(place)
        tales: set[str] = set()
        for n, way in zip(range(MOST_MOVES), cycle(WAYS), strict=False):
            if is_over(place):
                break
            if n % 2 == 0:
                await check_screens(place, people)
            tales |= set(place.table.text.splitlines())
            tales |= {line for person in people for line in person.dm.text.splitlines()}
            if await is_between_rounds(place):
                assert "Deal the next round" in place.table.labels
                again = f"The next round starts <t:{place.now + PAUSE_SECONDS}:R>."
                assert again in place.table.text
                for person in people:
                    await person.move_hand_to_dm()
                    assert again in person.dm.text
                await place.pause()
            else:
                await make_next_move(place, people, way)
        story = "\n".join(sorted(tales))
        for moment in ("has a toad", "Toadus Maximus!", "loses a life", "is out", SAFE):
            assert moment in story
        assert SAFE not in place.table.text
        assert len(re.findall(r"🏆 .* wins", place.table.text)) == 1
        assert place.table.text.count("🏆") == 1
        assert "last toad" not in place.table.text
        assert "Toadus Maximus 1" in place.table.text
        for person in people:
            assert person.dm.labels[0] == "Rematch"
            assert len(person.dms) == 1
        await check_end(place, people)
        answer = await people[2].press_dm("Rematch")
        assert (
            f"The new table is in <#{place.table.message.channel.id}>." in ephemeral_reply(answer).text
        )
        await check_rematch(place, people)


async def make_false_claim(place: BotHarness) -> None:
    """Say ribit to two cards as the first player. The cards are shown, and the turn ends."""
    rash = place.reminded_player
    asked = response_of(await rash.press("Ribit!"))
    assert "says ribit" not in place.table.text
    await rash.press("Say ribit", asked)
    assert f"**{rash.name} says ribit, but it's not a toad:**" in place.table.text
    assert f"{rash.name}: ribit? Not a toad!" in place.table.alt
    assert f"{rash.name}: 2 of 2 lives, 2 cards, no toad, shows" in place.table.alt.replace(
        ", dealer", ""
    )
    assert place.reminded_player is not rash


async def check_end(place: BotHarness, people: list[Person]) -> None:
    """The table shows the places and the reason. A restart does not change it."""
    table = await place.stored(place.table.match_id)
    ranks = table.game.places(table.state)
    assert sorted(ranks) == [1, 2, 3]
    said = place.table.text
    for person in people:
        seat = table.match.seat_of(person.id)
        assert seat is not None
        medal = "🥇🥈🥉"[ranks[seat] - 1]
        assert f"{medal} <@{person.id}>" in said
        assert f"Place {ranks[seat]}: {person.name}" in place.table.alt
    for line in ("lost their last life in round", "Quickest toad: "):
        assert line in said
        assert all(line in person.dm.text for person in people)
    await place.restart()
    services = place.bot
    anew = await services.display.plans.table(await services.tables.read(place.table.match_id))
    assert (
        "\n".join(part.words for part in anew.parts if isinstance(part, Text))
        == place.table.text.strip()
    )


async def check_rematch(place: BotHarness, people: list[Person]) -> None:
    """Rematch opens a lobby with the same options, which calls the others and can be started."""
    assert f"1. <@{people[2].id}> — host" in place.table.text
    assert "2 lives" in place.table.text
    await people[0].press("Join")
    await people[2].press("Start")
    assert "Round 1" in place.table.alt
    assert "2 of 2 lives" in place.table.alt


async def test_losing_the_last_lives_together_is_a_draw(tmp_path: Path) -> None:
    """If everybody passes, all lose a life together. Losing the last lives together is a draw."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", lives=1)
        for _turn in people:
            await place.reminded_player.press("End turn")
        assert is_over(place)
        assert place.table.text.count("nobody is left to win the pot.") == 1
        assert place.reminders == []
        assert "🏆" not in place.table.text
