"""Frogs at a table: seats that the bot plays, as people at the table meet them."""

from __future__ import annotations

from pathlib import Path

from bot.sessions.clock import FROG_SECONDS
from tests.discord.playing import clever_move, is_between_rounds, label_of, true_state
from tests.discord.pond import MENU, Person, Pond, Seen, pond, shown

TURN = FROG_SECONDS + 1
"""Seconds after which a frog's turn is surely over."""


def mark_lines(seen: Seen) -> list[str]:
    """Return the lines of a lobby that seat a frog."""
    return [line for line in seen.text.splitlines() if ". 🐸" in line]


async def pick_frog(person: Person, place: Pond, value: str) -> Seen:
    """Pick from the lobby's menu of frogs."""
    menu = next(part for part in place.table._parts(MENU))
    return shown(await person.pick(value, place.table, menu["custom_id"]))


async def play_on(place: Pond, person: Person) -> None:
    """Have a person who can count make a move, or wait for whoever is to move."""
    state = await true_state(place)
    table = await place.bot._desk.tables.look(place.table.match_id)
    if await is_between_rounds(place):
        await place.pause()
    elif table.match.players[state.turn].id == person.id:
        label = label_of(state, clever_move(state))
        await person.press_dm(label)
    else:
        await place.wait(TURN)


async def test_one_person_and_two_frogs_play_a_match(tmp_path: Path) -> None:
    """Ann alone starts at once with two frogs; they move by themselves until somebody has won."""
    async with pond(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=2, strength=0, lives=1)
        assert "to move" in place.table.text
        assert place.table.alt.count("🐸") == 2
        for _move in range(400):
            if "Rematch" in place.table.labels:
                break
            await play_on(place, ann)
        print(place.table.text)
        print(len(place.env.http_requests))
        assert "Rematch" in place.table.labels
