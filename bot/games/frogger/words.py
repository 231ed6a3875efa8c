"""Frogger's texts for players: headlines, the story of a match, and reasons for recommended moves.

The story reports the events of a match, with one line per turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from bot.engine.event_groups import (
    Passage,
    StoryPage,
    laps,
    last_lap,
    mark_computer_player,
    passages,
    since_own,
)
from bot.engine.game import Words
from bot.engine.icons import mark_of
from bot.engine.spoken_cards import join_words
from bot.engine.translation import _, ngettext
from bot.games.frogger.match import turning_points, win_reason
from bot.games.frogger.state import ACTIONS, FROGS, Back, Event, EventType, Move, Play, Space, Take
from bot.games.frogger.view import View

_OF_ITSELF = {EventType.STARTED, EventType.LEFT}
_OF_THE_TURN = {EventType.SENT_BACK, EventType.REFILLED, EventType.RESHUFFLED}
"""The types of events that a player's action causes. The story reports them as part of that turn."""
_UNTOLD = {EventType.STOPPED, EventType.STOOD_IN}
_INSTEAD = {EventType.TOOK, EventType.BLOCKED, EventType.RAN_OUT}
_DONE = {EventType.PLAYED, EventType.MOVED_BACK, EventType.SENT_BACK, *_INSTEAD}


LAST_TURNS = 3
"""The story mentions the turn limit when each seat has at most this many turns left."""


def words(view: View, names: Sequence[str]) -> Words:
    homes = [seat_view.frogs.home for seat_view in view.seats]
    points = turning_points(view.history, view.places, homes, names) if view.places else ()
    latest = dict[int, str]()
    for passage in _missed_passages(view):
        seat = passage.events[0].seat if passage.seat is None else passage.seat
        latest.pop(seat, None)  # keep only a player's last line, in its latest position
        latest[seat] = _summary(passage, names)
    story = tuple(latest.values())
    if view.outcome is None and 0 < view.turns_left <= LAST_TURNS * len(view.seats):
        left = ngettext(
            "Last turn! Then whoever is further ahead wins.",
            "{n} turns left. Then whoever is further ahead wins.",
            view.turns_left,
        )
        story = (*story, left.format(n=view.turns_left))
    return Words(_headline(view, names), story, turning_points=points)


def history(events: Sequence[Event], names: Sequence[str]) -> tuple[StoryPage, ...]:
    return tuple(
        StoryPage(
            _("Turn {turn}").format(turn=turn),
            tuple(_line(passage, names) for passage in lap),
        )
        for turn, lap in enumerate(laps(_passages(events), lambda _event: False), 1)
    )


def _passages(events: Iterable[Event]) -> list[Passage[Event]]:
    relevant_events = [event for event in events if event.what is not EventType.WON]
    return passages(relevant_events, _whose, lambda _event: False)


def _whose(event: Event, before: int | None) -> int | None:
    if event.what in _OF_THE_TURN and before is not None:
        return before
    return None if event.what in _OF_ITSELF else event.seat


def _missed_passages(view: View) -> Sequence[Passage[Event]]:
    """Return the turns that a view reports.

    If it is the viewer's turn, these are the turns since the viewer's last turn. Otherwise, they are the
    last turn of each player.
    """
    turns = _passages(view.events)
    if view.viewer is not None and view.is_mine:
        return since_own(turns, view.viewer)
    return last_lap(turns, sum(not seat_view.gone for seat_view in view.seats))


def space_text(space: Space) -> str:
    return f"{place_text(space)} {space.suit.symbol}"


def place_text(space: Space) -> str:
    return _("place {n}").format(n=space.place + 1)


Shown = Callable[[Space], str]


def origin_text(space: Space | None, shown: Shown = space_text) -> str:
    """Return a text for the space that a frog leaves, such as ``from place 3 🌊``.

    A space of None stands for the Excuse, the start card.
    """
    return _("from the Excuse") if space is None else _("from {space}").format(space=shown(space))


def target_text(space: Space | None, shown: Shown = space_text) -> str:
    """Return a text for the space that a frog reaches, such as ``to place 3 🌊``.

    A space of None stands for the Excuse, the start card.
    """
    return _("to the Excuse") if space is None else _("to {space}").format(space=shown(space))


def marks(frogs: Iterable[tuple[int, Space]]) -> str:
    """Return the symbols of the players who own the given frogs, such as ``② ③``."""
    return " ".join(mark_of(seat) for seat, _space in frogs)


def _headline(view: View, names: Sequence[str]) -> str:
    name = names[view.turn]
    if view.outcome is not None:
        if view.seats[view.turn].frogs.home == FROGS:
            if how := win_reason(view.history, view.turn):
                return "🏆 " + _("{name} wins {how}: all six frogs are home!").format(name=name, how=how)
            return _("🏆 {name} wins: all six frogs are home!").format(name=name)
        if not any(seat_view.gone for seat_view in view.seats):
            return _("🏆 {name} wins: furthest ahead after the last turn.").format(name=name)
        return _("🏆 {name} wins as the last player left.").format(name=name)
    if view.blocked and not view.is_mine:
        return _("{name} is blocked and can only take one market card.").format(name=name)
    if not view.is_mine:
        return _("{name}'s turn: action {n} of {all}.").format(name=name, n=view.done + 1, all=ACTIONS)
    if view.blocked:
        return _("No cards, and no frog in the corridor: take one card from the market.")
    if view.done:
        return _("Action {n} of {all}: play on, or end your turn.").format(n=view.done + 1, all=ACTIONS)
    return _("Your turn: up to three actions. Play a card or move a frog back.")


def _summary(passage: Passage[Event], names: Sequence[str]) -> str:
    """Return a one-line summary of a player's turn.

    The summary lists the frogs that got home or were sent back, the cards that the player took, and the
    new positions of the frogs that moved.
    """
    actions = [event for event in passage.events if event.what in _DONE]
    if passage.seat is None or not actions:
        return _line(passage, names)
    if any(event.what is EventType.STOOD_IN for event in passage.events):
        names = mark_computer_player(names, passage.seat)
    homes = sum(event.what is EventType.PLAYED and event.to is None for event in actions)
    home_words = ngettext("brought a frog home", "brought {n} frogs home", homes)
    parts = [home_words.format(n=homes)] if homes else []
    parts += [_hit(event, passage.seat, names) for event in actions if event.what is EventType.SENT_BACK]
    taken = [str(event.card) for event in actions if event.what is EventType.MOVED_BACK and event.card]
    parts += [_("took {cards}").format(cards=join_words(taken))] if taken else []
    if stand := _stand(actions):
        words = ngettext("moved a frog to {places}", "moved frogs to {places}", len(stand))
        parts.append(words.format(places=_places_text(stand)))
    parts += [_act(event, names) for event in actions if event.what in _INSTEAD]
    return _("{name}: {acts}.").format(name=names[passage.seat], acts=", ".join(parts))


def _hit(event: Event, seat: int, names: Sequence[str]) -> str:
    place = 0 if event.frog is None else event.frog.place + 1
    if event.seat == seat:
        return _("lost a frog on place {place} 💥").format(place=place)
    return _("hit {name} on place {place} 💥").format(name=names[event.seat], place=place)


def _stand(done: Sequence[Event]) -> list[Space | None]:
    """Return the new spaces of the frogs that moved. None stands for the Excuse."""
    now = list[Space | None]()
    for event in done:
        if event.frog in now:
            now.remove(event.frog)
        is_back = event.what is EventType.MOVED_BACK
        if is_back or (event.what is EventType.PLAYED and event.to is not None):
            now.append(event.to)
    return now


def _places_text(spaces: Sequence[Space | None]) -> str:
    """Return a text for spaces without their suits, such as ``the Excuse and places 1 and 6``."""
    places = [str(place + 1) for place in sorted(space.place for space in spaces if space is not None)]
    texts = [_("the Excuse")] if None in spaces else []
    if places:
        words = ngettext("place {places}", "places {places}", len(places))
        texts.append(words.format(places=join_words(places)))
    return join_words(texts)


def _line(passage: Passage[Event], names: Sequence[str]) -> str:
    name = names[passage.events[0].seat]
    match passage.events[0].what:
        case EventType.STARTED:
            return _("{name} was drawn to go first.").format(name=name)
        case EventType.LEFT:
            return _("{name} gave up. Their frogs leave the corridor.").format(name=name)
        case EventType.STOOD_IN:
            names = mark_computer_player(names, passage.events[0].seat)
    acts = [_act(event, names) for event in passage.events if event.what not in _UNTOLD]
    name = names[passage.seat or 0]
    return _("{name}: {acts}.").format(name=name, acts="; ".join(acts or [_("ended the turn")]))


def _act(event: Event, names: Sequence[str]) -> str:
    name, card = names[event.seat], event.card
    match event.what:
        case EventType.PLAYED:
            target = _("home") if event.to is None else target_text(event.to)
            return _("{card} moves a frog {origin} {target}").format(
                card=card, origin=origin_text(event.frog), target=target
            )
        case EventType.SENT_BACK:
            frog = _("Excuse") if event.frog is None else space_text(event.frog)
            return _("💥 {name}'s frog on {frog} goes back to the Excuse").format(name=name, frog=frog)
        case EventType.MOVED_BACK:
            card_text = _("nothing") if card is None else str(card)
            return _("a frog moves back {origin} {target} for {card}").format(
                origin=origin_text(event.frog), target=target_text(event.to), card=card_text
            )
        case EventType.TOOK:
            return _("blocked, takes {card}").format(card=card)
        case EventType.BLOCKED:
            return _("blocked, and the market is empty")
        case EventType.RAN_OUT:
            return _("ran out of time ⏰")
        case EventType.REFILLED:
            return ngettext(
                "{n} new card in the market", "{n} new cards in the market", event.count
            ).format(n=event.count)
        case EventType.RESHUFFLED:
            return _("the discards are shuffled into a new draw pile")
        case _:
            raise AssertionError(f"{event.what} is no part of a turn")


def reason(view: View, plan: Sequence[Move]) -> str:
    match move := plan[0]:
        case Play():
            return _of_play(view, move)
        case Back(_frog, _to, None):
            return _("Moving back sets up your next move.")
        case Back(_frog, _to, card):
            return _("Moving back gets you {card} from the market.").format(card=card)
        case Take(card):
            return _("{card} is the most useful card in the market.").format(card=card)
        case _:
            return _("The rest of your hand is worth more on a later turn.")


def _of_play(view: View, move: Play) -> str:
    landing = next(landing for play, landing in view.landings if play == move)
    if landing.to is None:
        return _("It brings a frog home.")
    far = landing.to.place - (0 if move.frog is None else move.frog.place)
    words = ngettext("It moves a frog {n} card ahead.", "It moves a frog {n} cards ahead.", far).format(
        n=far
    )
    if any(seat != view.viewer for seat, _space in landing.sends):
        words += " " + _("And it sends a rival back to the Excuse.")
    return words


def step_words(move: Move) -> str:
    match move:
        case Play(card, suit, frog):
            return _("play {card} for {suit} {origin}").format(
                card=card, suit=suit.symbol, origin=origin_text(frog)
            )
        case Back(frog, to, None):
            return _("move back {origin} {target}").format(
                origin=origin_text(frog), target=target_text(to)
            )
        case Back(frog, to, card):
            return _("move back {origin} {target} and take {card}").format(
                origin=origin_text(frog), target=target_text(to), card=card
            )
        case Take(card):
            return _("take {card}").format(card=card)
        case _:
            return ""
