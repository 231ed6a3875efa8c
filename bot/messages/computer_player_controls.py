"""Names of computer players at a table, and the controls that add or remove them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.engine.name_sanitizing import Name, inert, is_forgotten
from bot.engine.opponent import Strength
from bot.engine.scene import FROG, Item, Plate, Podium, Reveal, Scene
from bot.engine.translation import N_, _
from bot.matches.match import Match, Player
from bot.messages.appearance import Appearance, label_of
from bot.messages.components import Button, Menu, MenuOption, Row
from bot.messages.custom_ids import MATCH, Control, PlainControl
from bot.messages.player_names import written_names

_OFFERS = {
    Strength.TADPOLE: (N_("Add a tadpole"), N_("makes beginners' mistakes")),
    Strength.FROGLET: (N_("Add a froglet"), N_("plays by sound rules of thumb")),
    Strength.TOAD: (N_("Add a toad"), N_("thinks ahead, and remembers what was played")),
}


PERSON = "user "


@frozen
class ComputerPick(Control):
    """A choice in the menu with which a lobby's host adds computer players or removes players.

    Attributes:
        pick: The strength of a new computer player, the number of a computer player to remove, or
            ``PERSON`` and the user ID of a person to remove.
    """

    pattern = re.compile(rf"f:{MATCH}(:of\d{{1,2}})?")
    kind = "frogs"

    match_id: str
    pick: str


@frozen
class Substitute(PlainControl):
    """A button that lets a computer player move in place of an inactive player."""

    kind = "stand in"
    form = "f:{0.match_id}:{0.seat}"

    match_id: str
    seat: int


def computer_player_menu(match: Match, prompt: str, options: Sequence[MenuOption]) -> Row:
    """Return the menu with which a table's host adds and removes players.

    Its custom_id contains the number of players. After each change, Discord therefore shows the menu
    without a selection.
    """
    return Row((Menu(f"f:{match.id}:of{len(match.players)}", prompt, tuple(options)),))


def plain_name_of(player: Player) -> str:
    """Return a player's name for a text that does not notify the player.

    Players who deleted their data are named in plain text, because they cannot be mentioned.
    """
    if is_forgotten(player.id):
        return str(written_names([player])[0])
    return f"{FROG} {inert(player.title)}" if player.is_computer_player else f"<@{player.id}>"


def strengths(match: Match) -> list[str]:
    computer_players = [plain_name_of(player) for player in match.players if player.is_computer_player]
    return [" · ".join(computer_players)] if computer_players else []


def marked_names(match: Match, names: Sequence[Name]) -> list[str]:
    """Return players' names with escaped markdown, and with an icon before computer players' names."""
    marks = (f"{FROG} " if player.is_computer_player else "" for player in match.players)
    return [f"{mark}{name}" for mark, name in zip(marks, names, strict=True)]


def computer_player_rows(match: Match, game: AnyGame, look: Appearance) -> list[Row]:
    options = list[MenuOption]()
    if len(match.players) < match.limit and game.thinking is not None:
        options += [
            MenuOption(_(label), strength.value, _(about), look.emoji(FROG))
            for strength, (label, about) in _OFFERS.items()
        ]
    options += [
        remove_option(match, seat)
        for seat, player in enumerate(match.players)
        if player.id != match.host_id
    ]
    if not options:
        return []
    prompt = _("Add a frog or remove a player") if match.people[1:] else _("Add a frog")
    return [computer_player_menu(match, prompt, options)]


def remove_option(match: Match, seat: int) -> MenuOption:
    player, name = match.players[seat], written_names(match.players)[seat]
    if player.is_computer_player:
        return MenuOption(_("Send {name} away").format(name=player.title), str(-player.id))
    return MenuOption(_("Send {name} away").format(name=name.plain), f"{PERSON}{player.id}")


def substitute_buttons(match: Match, away: Iterable[int], look: Appearance) -> list[Button]:
    names = written_names(match.players)
    return [
        Button(
            Substitute(match.id, seat).custom_id,
            label_of(_("Let a frog play for {name}").format(name=names[seat].plain)),
            emoji=look.emoji(FROG),
        )
        for seat in away
        if seat not in match.computer_seats
    ]


def with_computer_players(scene: Scene, seats: Collection[int]) -> Scene:
    if not seats:
        return scene
    return replace(scene, items=tuple(_with_computer_players(item, seats) for item in scene.items))


def _with_computer_players(item: Item, seats: Collection[int]) -> Item:
    match item:
        case Plate() | Reveal() if item.seat in seats:
            return replace(item, computer=True)
        case Podium(standings=standings):
            marked = (replace(standing, computer=standing.seat in seats) for standing in standings)
            return replace(item, standings=tuple(marked))
        case _:
            return item
