"""Tests of Frogger in a channel: a match by buttons, partial choices, and restarts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.games import games
from bot.games.frogger.rules import landing_ahead
from bot.games.frogger.state import FROGS, Back, EndTurn, Move, Play, State
from tests.discord.admins import close_table
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.test_faults import TOO_OLD_TO_EDIT

FROGGER = games()["frogger"]
SHORT_MATCH = bytes([244]) * 32
"""Deals a match of three that eager players end in ``MOVES``, with frogs sent back on the way."""
MOVES, CLICKED = 54, 10
"""The number of moves of that match, and of those at its beginning and end that are made by clicks."""

Path_ = tuple[str, ...]


@pytest.fixture(autouse=True)
def pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the short match."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)


async def start_three_players(place: BotHarness) -> list[Person]:
    return await place.started("Ann", "Ben", "Cleo", game="frogger")


async def true_state(place: BotHarness) -> State:
    state = (await place.stored(place.table.match_id)).state
    assert isinstance(state, State)
    return state


def eager_move(state: State) -> Move:
    """Return a fast player's move: the longest way forward, or the smallest loss."""

    def worth(move: Move) -> int:
        match move:
            case Play():
                to = landing_ahead(state.corridor, state.occupied_spaces, move.frog, move.suit)
                reached = len(state.corridor) + 3 if to is None else to.place
                return reached - (-1 if move.frog is None else move.frog.place)
            case Back():
                lost = move.frog.place - (-1 if move.to is None else move.to.place)
                return -5 - lost - 9 * (move.take is None)
            case EndTurn():
                return -8 if state.hand else -20
            case _:
                return 0

    moves: tuple[Move, ...] = FROGGER.legal_moves(state)
    return max(moves, key=worth)


def choosable_moves(state: State, path: Path_ = ()) -> Iterator[tuple[Path_, Move]]:
    """Yield every move that the seat to move can choose, with the clicks that lead to it."""
    for choice in FROGGER.panel(FROGGER.view(state, state.turn), path).choices():
        if choice.move is None:
            yield from choosable_moves(state, (*path, choice.key))
        else:
            yield (*path, choice.key), choice.move


def eager_clicks(count: int) -> Callable[[State], Path_ | None]:
    """Return a function that yields the clicks of a fast player's move, as often as ``count``."""
    left = iter(range(count))

    def choose(state: State) -> Path_ | None:
        if next(left, None) is None:
            return None
        wanted = eager_move(state)
        return next(path for path, move in choosable_moves(state) if move == wanted)

    return choose


async def press_path(place: BotHarness, person: Person, clicks: Path_, *, in_dm: bool = True) -> Seen:
    """Press the buttons of a choice in order and return the last message."""
    n = (await place.stored(place.table.match_id)).n
    if in_dm:
        await person.move_hand_to_dm()
    seen = person.dm if in_dm else response_of(await person.press("My hand"))
    for step in range(1, len(clicks) + 1):
        custom_id = f"m:{place.table.match_id}:{n}:h:{'.'.join(clicks[:step])}"
        assert custom_id in seen.custom_ids, (custom_id, seen.custom_ids)
        seen = response_of(await person.send(seen, custom_id))
    return seen


def two_click_path(state: State) -> Path_:
    """Return the clicks of a two-step move: a card and then a frog."""
    return next(
        path for path, move in choosable_moves(state) if len(path) == 2 and isinstance(move, Play)
    )


async def start_with_movers(place: BotHarness) -> tuple[State, Person, Person]:
    """Seat three players. Return the state, the player to move and the next player."""
    people = await start_three_players(place)
    state = await true_state(place)
    return state, people[state.turn], people[(state.turn + 1) % 3]


async def choose_card(place: BotHarness, mover: Person, state: State) -> tuple[Seen, str]:
    """Choose the card of a move. Return the step that asks for the frog, and the frog's button."""
    clicks = two_click_path(state)
    step = await press_path(place, mover, clicks[:1])
    return step, last_button_id(step, clicks)


def last_button_id(seen: Seen, clicks: Path_) -> str:
    """Return the custom_id of the last of some clicks."""
    return next(custom_id for custom_id in seen.custom_ids if custom_id.endswith(".".join(clicks)))


async def test_three_players_finish_a_match_across_restarts(tmp_path: Path) -> None:
    """Three people play to the sixth frog home, in DMs and in private, through two restarts.

    The moves in the middle are made without showing each of them.
    """
    async with bot_harness(tmp_path) as place:
        people = await start_three_players(place)
        moves = 0
        while (state := await true_state(place)).winner is None:
            if moves == CLICKED:
                await place.play_ahead(eager_clicks(MOVES - 2 * CLICKED))
                moves = MOVES - CLICKED
                state = await true_state(place)
            mover = people[state.turn]
            assert state.done or place.reminded_player is mover, "whoever's turn begins is called"
            wanted = eager_move(state)
            clicks = next(path for path, move in choosable_moves(state) if move == wanted)
            await press_path(place, mover, clicks, in_dm=moves % 5 != 0)
            moves += 1
            if moves in (7, MOVES - 5):  # the first of them inside a turn
                await place.restart()
            assert await true_state(place) == FROGGER.play(state, wanted)
        winner = people[state.winner]
        assert moves == MOVES
        assert (
            f"🏆 {winner.name} wins with no frog sent back: all six frogs are home!" in place.table.text
        )
        assert place.table.text.count(" wins ") == place.table.text.count("🏆") == 1
        assert f"Frogs home {FROGS}" in place.table.text
        assert f"{winner.name} wins!" in place.table.alt
        assert place.reminders == []
        ended = place.table
        board = response_of(await people[0].slash("leaderboard", board="frogger"))
        assert f"1 {winner.name}: 1, 1, {FROGS}" in board.alt
        profile = response_of(await winner.slash("profile"))
        assert "Frogger (for the Decktet)" in profile.text
        await people[1].press("Rematch", ended)
        assert "Frogger" in place.table.text
        assert "Join" in place.table.labels


async def test_the_second_button_names_suit_frog_and_destination(tmp_path: Path) -> None:
    """A card takes two clicks. The second button names the suit, the frog and its destination."""
    async with bot_harness(tmp_path) as place:
        people = await start_three_players(place)
        state = await true_state(place)
        mover = people[state.turn]
        clicks = two_click_path(state)
        step = await press_path(place, mover, clicks[:1])
        assert "which frog moves, and with which suit?" in step.text
        assert all(" from " in label for label in step.labels if label != "Back")
        after = response_of(await mover.send(step, last_button_id(step, clicks)))
        assert await true_state(place) == FROGGER.play(state, dict(choosable_moves(state))[clicks])
        assert "Action 2 of 3" in after.text
        assert "End turn" in after.labels


async def test_a_partial_choice_survives_a_restart(tmp_path: Path) -> None:
    """After the first click and a restart, the button of the second click still works."""
    async with bot_harness(tmp_path) as place:
        state, mover, _other = await start_with_movers(place)
        step, frog = await choose_card(place, mover, state)
        await place.restart()
        await mover.send(step, frog)
        assert await true_state(place) == FROGGER.play(
            state, dict(choosable_moves(state))[two_click_path(state)]
        )


async def test_back_returns_to_the_first_step(tmp_path: Path) -> None:
    """*Back* shows the first step again, and nothing is played."""
    async with bot_harness(tmp_path) as place:
        people = await start_three_players(place)
        state = await true_state(place)
        mover = people[state.turn]
        step = await press_path(place, mover, two_click_path(state)[:1])
        again = response_of(await mover.send(step, step.custom_id("Back")))
        assert any(label.startswith("Play ") for label in again.labels)
        assert await true_state(place) == state


@pytest.mark.parametrize(("status", "code"), [(429, TOO_OLD_TO_EDIT), (500, 0)])
async def test_the_next_step_is_shown_if_the_message_takes_no_edit(
    tmp_path: Path, status: int, code: int
) -> None:
    """If the message takes no edit, the next step is shown later, or in a new message."""
    async with bot_harness(tmp_path) as place:
        state, mover, _other = await start_with_movers(place)
        await place.expire_interactions()
        [card, _frog] = two_click_path(state)
        n, dm = (await place.stored(place.table.match_id)).n, mover.actor.user.dm_channel.id
        place.env.inject_error("POST", "/interactions/*/callback", status=status, code=code, times=1)
        if code:
            lost = ("PATCH", f"/channels/{dm}/messages/{mover.dm.id}")
            place.env.inject_error(*lost, status=status, code=code, times=None)
        await mover.send(mover.dm, f"m:{place.table.match_id}:{n}:h:{card}")
        assert "which frog moves, and with which suit?" in mover.dm.text
        assert len(mover.dms) == 1


async def test_another_player_cannot_continue_a_choice(tmp_path: Path) -> None:
    """A click that continues another player's partial choice is refused, and no move is made."""
    async with bot_harness(tmp_path) as place:
        state, mover, other = await start_with_movers(place)
        _step, frog = await choose_card(place, mover, state)
        assert f"<@{mover.id}>'s turn" in ephemeral_reply(await other.send(other.dm, frog)).text
        assert "Your hand" in response_of(await other.press("My hand")).alt
        assert await true_state(place) == state


async def test_a_click_on_an_outdated_step_shows_the_current_table(tmp_path: Path) -> None:
    """A click on a step that is outdated shows the current table."""
    async with bot_harness(tmp_path) as place:
        state, mover, other = await start_with_movers(place)
        step, frog = await choose_card(place, mover, state)
        await other.press("Give up", response_of(await other.slash("frogger leave")))
        after = await true_state(place)
        assert "moved on" in ephemeral_reply(await mover.send(step, frog)).text
        assert await true_state(place) == after
        assert any(label.startswith("Play ") for label in mover.dm.labels)


def is_far_move(state: State, move: Move) -> bool:
    """Return whether a move takes a frog beyond the first card, so that a card is behind it."""
    if not isinstance(move, Play):
        return False
    to = landing_ahead(state.corridor, state.occupied_spaces, move.frog, move.suit)
    return to is not None and to.place > 0


async def test_an_old_table_still_offers_the_steps_of_its_choices(tmp_path: Path) -> None:
    """A choice that the table once had still leads to its steps, in private."""
    async with bot_harness(tmp_path) as place:
        people = await start_three_players(place)
        state = await true_state(place)
        mover = people[state.turn]
        play = next(path for path, move in choosable_moves(state) if is_far_move(state, move))
        await press_path(place, mover, play)
        result = await mover.send(place.table, await place.old_button_id("back"))
        assert result.ephemeral
        step = response_of(result)
        assert "Back" in step.labels
        assert "Which symbol does it land on?" in step.text or "Your frog lands" in step.text
        assert place.table.labels == ["My hand", "What happened?", "How to play"]


async def test_the_shared_commands_work_for_frogger(tmp_path: Path) -> None:
    """Hand, table, rules and stop are Toad's, for this game."""
    async with bot_harness(tmp_path) as place:
        ann, *_others = await start_three_players(place)
        assert "Your hand" in response_of(await ann.slash("frogger hand")).alt
        before = place.table.id
        await ann.slash("frogger table")
        assert place.table.id != before
        rules = response_of(await ann.slash("frogger rules"))
        for name in ("Guerrero", "Arroyo", "Magnus"):
            assert name in rules.text
        await close_table(place, "frogger")
        assert "This table was closed" in place.table.text


async def test_a_timeout_passes_the_turn_without_moving_cards(tmp_path: Path) -> None:
    """A turn that times out is passed, and changes no cards. After three, the seat is inactive."""
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", "Cleo", game="frogger", turn=60)
        state = await true_state(place)
        lazy, held = state.turn, state.hands[state.turn]
        name = people[lazy].name
        while f"💤 Away: {name}" not in place.table.text:
            if state.turn == lazy:
                await place.wait(60)
                assert f"{name}: ran out of time ⏰." in place.table.text
            else:
                wanted = eager_move(state)
                clicks = next(path for path, move in choosable_moves(state) if move == wanted)
                await press_path(place, people[state.turn], clicks)
            state = await true_state(place)
            assert (state.hands[lazy], state.frogs[lazy].start) == (held, FROGS)
        entries = await place.bot.database.journal.entries(place.table.match_id)
        assert [entry.text for entry in entries if entry.seat == lazy] == ["pass"] * 3
        await place.restart()
        assert await true_state(place) == state
