"""A whole match of three, and matches that are interrupted between any two moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.games import games
from bot.games.toad.spots import count_spots
from bot.games.toad.state import Move, Phase, State
from tests.discord.pond import Person, Pond, Seen, pond

TOAD = games()["toad"]
SEED = bytes([26]) * 32
"""Deals four rounds with toads, a Toadus Maximus and a winner to players who can count."""


def clever_move(state: State) -> Move:
    """Return a move of somebody who can count: towards ten and ten, and declaring when it is there."""
    written: dict[str, Move] = {TOAD.write(move): move for move in TOAD.legal_moves(state)}

    def distance(after: State) -> int:
        red, black = count_spots(after.hands[state.turn])
        return abs(10 - red) + abs(10 - black) + 3 * max(red - 10, 0) + 3 * max(black - 10, 0)

    def closest(start: str) -> Move:
        moves = [move for text, move in written.items() if text.startswith(start)]
        return min(moves, key=lambda move: distance(TOAD.play(state, move)))

    if distance(state) == 0:
        return written["ribit"]
    if state.phase is Phase.CLAIM:
        return written["end"]
    if state.phase is Phase.DISCARD:
        worst = closest("discard")
        return worst if distance(TOAD.play(state, worst)) < distance(state) else written["end"]
    taken = closest("take")
    return taken if distance(TOAD.play(state, taken)) < distance(state) else written["draw"]


async def true_state(place: Pond) -> State:
    """Return the state behind the table, to know what a clever player would do."""
    match_id = place.table.custom_ids[0].split(":")[1]
    state = (await place.bot._desk.tables.look(match_id)).state
    assert isinstance(state, State)
    return state


def label_of(seen: Seen, state: State, move: Move) -> str:
    """Return the label of the button that plays a move in a player's own panel."""
    panel = TOAD.panel(TOAD.view(state, state.turn))
    choice = next(choice for choice in panel.choices() if choice.move == move)
    assert choice.label in seen.labels
    return choice.label


async def step(place: Pond, people: list[Person]) -> None:
    """Make the next move from its player's DM."""
    state = await true_state(place)
    person = people[state.turn]
    await person.press_dm(label_of(person.dm, state, clever_move(state)))


async def check_screens(place: Pond, people: list[Person]) -> None:
    """The table says whose turn it is; at most that player is mentioned; hands show true spots."""
    state = await true_state(place)
    if state.phase is Phase.DEAL:
        assert place.reminders == []
        return
    name = people[state.turn].actor.user.global_name
    assert f"{name} to move" in place.table.text
    assert len(place.reminders) <= 1
    assert all(f"<@{people[state.turn].id}>" in line for line in place.reminders)
    for seat in state.playing:
        red, black = count_spots(state.hands[seat])
        assert f"Red spots: {red} of 10. Black spots: {black} of 10." in people[seat].dm.alt
    assert_no_secret(place, state)


def assert_no_secret(place: Pond, state: State) -> None:
    """No card that lies hidden stands in a public message, its alt text or its custom_ids."""
    hidden = {card for hand in state.hands for card in hand} | set(state.draw)
    hidden -= {card for shown in state.shown for card in shown}
    table = place.table
    for words in (table.alt, " ".join(table.labels), " ".join(table.custom_ids)):
        assert [card for card in hidden if str(card) in words or card.code in words.split()] == []


async def test_a_whole_match_of_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From ``/toad start`` to the pot, by DM: toads, lost lives, rounds that start by themselves."""
    monkeypatch.setattr("bot.sessions.seating.new_seed", lambda: SEED)
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", lives=2)
        rash = place.awaited
        await rash.press("Ribit!")
        name = rash.actor.user.global_name
        assert f"**{name} says ribit, but it is no toad:**" in place.table.text
        assert f"{name}: ribit? No toad!" in place.table.alt
        assert f"{name}: 2 of 2 lives, 2 cards, no toad, shows" in place.table.alt.replace(
            ", dealer", ""
        )
        for _move in range(400):
            if "Rematch" in place.table.labels:
                break
            await check_screens(place, people)
            if (await true_state(place)).phase is Phase.DEAL:
                assert "Deal the next round" in place.table.labels
                await place.pause()
            else:
                await step(place, people)
        assert "wins the match and collects the pot" in place.table.text
        assert "🏆" in place.table.text
        assert "Toadus Maximus 1" in place.table.text
        for person in people:
            assert person.dm.labels == []
            assert len(person.dms) == 1
        board = await people[0].slash("leaderboard")
        assert board.response is not None
        assert "1 " in Seen(board.response).alt
        assert all(name in Seen(board.response).alt for name in ("Ann", "Ben", "Cleo"))


async def test_a_restart_between_any_two_moves(tmp_path: Path) -> None:
    """After every single move the bot ends and starts anew: same cards, same turn, old buttons work."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=1)
        for _move in range(60):
            if "Rematch" in place.table.labels:
                break
            before = await true_state(place)
            screens = [place.table, *(person.dm for person in people)]
            await place.restart()
            assert await true_state(place) == before
            after = [place.table, *(person.dm for person in people)]
            assert [seen.id for seen in after] == [seen.id for seen in screens]
            assert [seen.alt for seen in after] == [seen.alt for seen in screens]
            assert [seen.custom_ids for seen in after] == [seen.custom_ids for seen in screens]
            await step(place, people)
        else:
            pytest.fail("the match should have ended")


async def test_a_restart_in_the_pause(tmp_path: Path) -> None:
    """Between two rounds a restart does not keep the next round from starting by itself."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben", lives=3)
        for _turn in range(2):
            await place.awaited.press("Pass")
        assert "Round 1 is over" in place.table.text
        assert "Everybody passed" in place.table.alt
        await place.restart()
        assert "Round 1 is over" in place.table.text
        await place.pause()
        assert "Round 2" in place.table.text


async def test_a_restart_in_the_lobby(tmp_path: Path) -> None:
    """A lobby keeps its seats over a restart, and its buttons work."""
    async with pond(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", lives=5)
        await place.restart()
        await ben.press("Join")
        await place.restart()
        await ann.press("Start")
        assert "5 of 5 lives" in place.table.alt


async def test_what_discord_lost_is_shown_with_the_next_event(tmp_path: Path) -> None:
    """Edits that Discord fails are made good by the next move; the match does not stop."""
    async with pond(tmp_path) as place:
        people = await place.started("Ann", "Ben")
        mover = place.awaited
        place.env.inject_error("PATCH", f"/channels/{place.channel.id}/messages/*", status=500, times=1)
        await mover.press_dm("Pass")
        waiting = next(person for person in people if person is not mover)
        assert "passed" not in place.table.text, "this edit was lost"
        await waiting.press_dm("Draw")
        assert f"{waiting.actor.user.global_name} drew a card" in place.table.text


async def test_a_deleted_table_comes_back(tmp_path: Path) -> None:
    """A table's message that a moderator deletes is posted anew with the next move."""
    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        mover = place.awaited
        place.env.backend.delete_message(place.channel.id, place.table.id)
        await mover.press_dm("Pass")
        assert "passed" in place.table.text


async def test_a_picture_that_fails_is_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where drawing fails, the scene's text stands in the picture's place, and play goes on."""

    def broken(_scene: object) -> bytes:
        raise RuntimeError("no paint")

    async with pond(tmp_path) as place:
        await place.started("Ann", "Ben")
        monkeypatch.setattr("cogs._sheets.draw", broken)
        await place.awaited.press("Pass")
        assert "3 of 3 lives" in [seen for seen in place.messages if seen.labels][-1].text
