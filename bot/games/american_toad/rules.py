"""Rules of American Toad Solitaire for dealing, moves, undo and the end (A1, A11, A12)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b
from itertools import accumulate

from bot.engine.cards import PACK
from bot.engine.errors import IllegalMoveError
from bot.engine.shuffle import SEED_BYTES, shuffle_items
from bot.engine.translation import _
from bot.games.american_toad.card_moves import all_up, apply_move, card_moves, until_fits
from bot.games.american_toad.state import (
    COLUMNS,
    FOUNDATIONS,
    PACKS,
    RESERVE_SIZE,
    SUITS,
    Advice,
    AllUp,
    CardMove,
    Led,
    Move,
    Position,
    Redeal,
    Redo,
    Rescue,
    State,
    Step,
    Told,
    Turn,
    TurnOn,
    Undo,
    Up,
)


def open_deal(number: int) -> State:
    """Return the first state of a numbered deal. The same number always gives the same cards (A1)."""
    seed = blake2b(f"american toad {number}".encode(), digest_size=SEED_BYTES).digest()
    cards = shuffle_items(PACK * PACKS, seed, "deal")
    reserve, cards = cards[:RESERVE_SIZE], cards[RESERVE_SIZE:]
    columns, cards = tuple((card,) for card in cards[:COLUMNS]), cards[COLUMNS:]
    first, stock = cards[0], cards[1:]
    heights = tuple(int(place == SUITS.index(first.suit)) for place in range(FOUNDATIONS))
    return State(number, Position(first.rank, heights, reserve, columns, stock, (), redeal_left=True))


def legal_moves(state: State) -> tuple[Move, ...]:
    """Return all legal moves (A11).

    Moves that turn several cards or undo several moves at once are also legal, but are not included.
    """
    return tuple(moves_with(state, card_moves(state.position)))


def moves_with(state: State, cards: Iterable[CardMove]) -> Iterator[Move]:
    position, goes_up = state.position, False
    if position.is_won or state.given_up:
        return
    for move in cards:
        goes_up = goes_up or isinstance(move, Up)
        yield move
    if position.stock:
        yield TurnOn()
        yield TurnOn(up=True)
    if goes_up:
        yield AllUp()
    if state.made:
        yield Undo()
    if state.undone:
        yield Redo()


def play(state: State, move: Move) -> State:
    """Return the state after a move.

    Raises:
        IllegalMoveError: The rules do not allow the move.
    """
    move = journal_move(state, move)
    if not _is_legal(state, move):
        raise IllegalMoveError(_refusal(state, move))
    after = _state_after(state, move)
    return after if after is state else replace(after, trail=(*state.trail, *_steps(state, move, after)))


def _steps(state: State, move: Move, after: State) -> tuple[Step, ...]:
    """Return the steps that a move adds to the deal's trail, a record that reveals no cards.

    If the player asks for the same help in the same position again, no step is added.
    """
    match move:
        case Rescue() | Advice():
            return (Step.PEEK,) * (after.peeks - state.peeks) + (Step.HINT,) * (
                after.hints - state.hints
            )
        case Undo(count):
            return (Step.UNDO,) * count
    position = after.position
    if not position.is_won and next(card_moves(position), None) is None:
        return (Step.STUCK,)
    return (Step.UP if sum(position.heights) > sum(state.position.heights) else Step.MOVE,)


def _state_after(state: State, move: Move) -> State:
    if isinstance(move, Advice | Rescue):
        return _count_help(state, move)
    if state.told is not None:
        state = replace(state, told=None)
    match move:
        case Undo(count):
            return replace(back(state, count), undos=state.undos + count)
        case Redo():
            return ahead(state, state.undone[-1], state.undone[:-1])
        case TurnOn():
            raise AssertionError("a turn until something fits is recorded as a turn")
        case _:
            return ahead(state, move)


def journal_move(state: State, move: Move) -> Move:
    """Return a move in the form in which it is stored.

    A ``TurnOn`` becomes a ``Turn`` with the number of cards that it turns.
    """
    if isinstance(move, TurnOn) and state.position.stock:
        return until_fits(state.position, up=move.up)
    return move


def _count_help(state: State, told: Told) -> State:
    """Record that the player got help. The same type of help counts only once per position."""
    kind = "rescue" if isinstance(told, Rescue) else "peek" if told.peeked else "hint"
    about = kind, replace(state.position, last=None)
    is_new = about not in state.asked
    lines = state.lines
    if isinstance(told, Advice) and told.move and told.line:
        found = about[1], (told.move, *told.line)
        lines = lines if found in lines else (*lines, found)
        told = replace(told, line=())
    if told == state.told and lines == state.lines:
        return state
    return replace(
        state,
        told=told,
        lines=lines,
        asked=state.asked | {about},
        hints=state.hints + (is_new and kind == "hint"),
        peeks=state.peeks + (is_new and kind != "hint"),
    )


def _is_legal(state: State, move: Move) -> bool:
    """Return whether a move is legal.

    After giving up, the player may still ask when the deal became lost (``Rescue``).
    """
    if isinstance(move, Rescue):
        return not state.position.is_won
    if isinstance(move, Advice):
        return not (state.position.is_won or state.given_up)
    if isinstance(move, Turn | Undo) and move not in (Turn(), Undo()):
        room = state.position.stock if isinstance(move, Turn) else state.made
        return not (state.position.is_won or state.given_up) and 0 < move.count <= len(room)
    return move in moves_with(state, card_moves(state.position))


def withdraw(state: State, _seat: int) -> State:
    if state.position.is_won or state.given_up:
        raise IllegalMoveError(_("This deal is over."))
    return replace(state, given_up=True)


def _refusal(state: State, move: Move) -> str:
    position = state.position
    match move:
        case _ if position.is_won or state.given_up:
            return _("This deal is over.")
        case Turn() | TurnOn() if not position.stock:
            return _("The stock is empty.")
        case Turn():
            return _("There aren't that many cards in the stock.")
        case Redeal():
            if position.stock:
                return _("You can only turn the waste over when the stock is empty.")
            return _("There's no redeal left.") if position.waste else _("The waste is empty.")
        case Undo() if state.made:
            return _("There aren't that many moves to undo.")
        case Undo():
            return _("There's nothing to undo.")
        case Redo():
            return _("There's nothing to redo.")
        case Up() | AllUp():
            return _("That card can't go to a foundation yet.")
        case _:
            return _("That card doesn't fit there: columns build down in suit, King on Ace.")


POSITION_EVERY = 25
"""The number of moves between two snapshots of the position. The first snapshot is the initial deal."""


def ahead(state: State, move: Led, undone: tuple[Led, ...] = ()) -> State:
    snapshots = state.kept if len(state.made) % POSITION_EVERY else (*state.kept, state.position)
    moves = (*state.made, move)
    position, before = _led(state.position, move), state.position
    return replace(state, position=position, before=before, made=moves, undone=undone, kept=snapshots)


def back(state: State, count: int) -> State:
    """Undo the last ``count`` moves. They can be redone."""
    left = len(state.made) - count
    return replace(
        state,
        position=position_after(state, left),
        before=position_after(state, left - 1) if left else None,
        made=state.made[:left],
        undone=(*state.undone, *reversed(state.made[left:])),
        kept=state.kept[: -(-left // POSITION_EVERY)],
    )


def position_after(state: State, moves: int) -> Position:
    if moves == len(state.made):
        return state.position
    if moves == len(state.made) - 1 and state.before is not None:
        return state.before
    stage = moves // POSITION_EVERY
    position, on = state.kept[stage], state.made[stage * POSITION_EVERY : moves]
    for move in on:
        position = _laid(position, move)
    return replace(position, last=on[-1]) if on else position


def positions(state: State) -> tuple[Position, ...]:
    return tuple(accumulate(state.made, _led, initial=position_after(state, 0)))


def after_line(position: Position, line: Iterable[Move]) -> Iterator[Position]:
    yield position
    for move in line:
        led = until_fits(position, up=move.up) if isinstance(move, TurnOn) else move
        assert isinstance(led, CardMove | AllUp), "a line moves cards"
        position = _led(position, led)
        yield position


def _led(position: Position, move: Led) -> Position:
    return replace(_laid(position, move), last=move)


def _laid(position: Position, move: Led) -> Position:
    return all_up(position) if isinstance(move, AllUp) else apply_move(position, move)
