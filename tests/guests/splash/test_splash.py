"""A fourth game in one folder, which the bot offers, deals, plays, resumes and counts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.discord.bot_harness import BotHarness, Person, bot_harness, ephemeral_reply, response_of
from tests.discord.secrecy import cards_in
from tests.guests import games_with_guests
from tests.guests.splash import GAME

NAMES = ("Ann", "Ben", "Cleo")


async def player_to_move(place: BotHarness, people: list[Person]) -> Person:
    """Return the seat to jump, from the table's public text."""
    [one] = [one for one in people if f"{one.name} jumps." in place.table.text]
    return one


async def synced_commands(place: BotHarness) -> dict[str, Any]:
    """Return the slash commands synced to Discord, by name."""
    return {command.name: command.to_dict() for command in await place.bot.tree.fetch_commands()}


OF_FEATURES = {"rules"}
"""Commands of a game that are missing if their feature is deleted."""


def leaderboard_options(offered: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the options of /leaderboard, or an empty list if its feature is deleted."""
    return offered["leaderboard"]["options"] if "leaderboard" in offered else []


async def test_splash_registers_its_own_commands(tmp_path: Path) -> None:
    """Splash's commands come from its own description, without a time limit as it has no clock."""
    async with bot_harness(tmp_path, known=games_with_guests()) as place:
        offered = await synced_commands(place)
        splash = offered["splash"]
        assert splash["description"] == "Splash, who jumps in highest, for 2 to 4"
        groups = {option["name"]: option for option in splash["options"]}
        assert groups.keys() - OF_FEATURES == {"start", "table", "hand", "leave", "stop", "remove"}
        assert groups["start"]["description"] == "Open a table in this channel for 2 to 4 players."
        asked = [
            (option["name"], option["description"], option["min_value"], option["max_value"])
            for option in groups["start"]["options"]
        ]
        assert asked == [
            ("cards", "How many cards each gets (default: 3)", 1, 5),
            ("seats", "Number of seats (default: 4)", 2, 4),
        ]
        for board in leaderboard_options(offered):
            assert ("Splash", "splash") in {(one["name"], one["value"]) for one in board["choices"]}


async def test_commands_do_not_need_missing_games(tmp_path: Path) -> None:
    """No command needs a game that is not installed, and open hands have no command of their own."""
    info = replace(GAME.info, fewest=4, hidden_hands=False)
    async with bot_harness(tmp_path, known={"splash": replace(GAME, info=info)}) as place:
        offered = await synced_commands(place)
        assert "splash" in offered
        assert offered.keys() <= {
            "splash",
            "leaderboard",
            "profile",
            "replay",
            "Watch this match",
            "Profile",
            "settings",
            "privacy",
            "verify",
            "correct",
            "doctor",
            "help",
            "games",
        }
        groups = {option["name"]: option for option in offered["splash"]["options"]}
        assert groups.keys() - OF_FEATURES == {"start", "table", "leave", "stop", "remove"}
        assert groups["start"]["description"] == "Open a table in this channel for 4 players."
        for board in leaderboard_options(offered):
            assert [choice["name"] for choice in board["choices"]] == ["Splash"]
        ann = place.person("Ann")
        assert "Splash in The Frog Pond" in response_of(await ann.slash("leaderboard")).text
        assert "No finished matches" in response_of(await ann.slash("profile")).text


async def test_each_hand_is_sent_to_its_players_dms_only(tmp_path: Path) -> None:
    """With the option `cards=4`, four cards are sent to each player, and none is shown at the table."""
    async with bot_harness(tmp_path, known=games_with_guests()) as place:
        people = await place.started(*NAMES, game="splash", cards=4)
        hands = [cards_in(one.dm.alt) for one in people]
        assert [len(hand) for hand in hands] == [4, 4, 4]
        assert len(set.union(*hands)) == 12, "every card is in one hand"
        assert cards_in(place.table.alt, place.table.text) == set()
        ben = ephemeral_reply(await people[1].slash("splash hand"))
        assert cards_in(ben.alt) == hands[1]
        assert "# Splash" in ephemeral_reply(await people[1].slash("splash rules")).text


async def test_splash_is_played_to_its_end_across_restarts(tmp_path: Path) -> None:
    """Buttons of DMs work after restarts, and the win counts on the leaderboard and the profile."""
    async with bot_harness(tmp_path, known=games_with_guests()) as place:
        people = await place.started(*NAMES, game="splash", cards=2)
        for jump in range(len(NAMES) * 2):
            one = await player_to_move(place, people)
            before = one.dm.id
            if jump % 2:
                await place.restart()
            assert one.dm.id == before
            await one.press_dm(one.dm.label("Jump with"))
        assert " won!" in place.table.text
        over = place.table
        winners = [one for one in people if one.name in over.text.split(" won!")[0]]
        assert winners
        board = response_of(await people[0].slash("leaderboard", board="splash"))
        assert "Splash in The Frog Pond" in board.text
        assert [one for one in people if f"{one.name}: 1, 1," in board.alt] == winners
        assert "Splash" in response_of(await people[0].slash("profile")).text
        await people[2].press("Rematch", over)
        assert "2 cards" in place.table.text


@pytest.mark.parametrize("seated", [True, False])
async def test_splash_refuses_giving_up_and_has_no_timeout(tmp_path: Path, seated: bool) -> None:
    """A game without giving up and passing refuses the first, and no turn runs out.

    Its table can be closed.
    """
    async with bot_harness(tmp_path, known=games_with_guests()) as place:
        people = await place.started("Ann", "Ben", game="splash")
        one = people[1] if seated else place.person("Stranger")
        words = "Nobody can give up" if seated else "You're not at this table"
        assert words in ephemeral_reply(await one.slash("splash leave")).text
        made = (await place.stored(place.table.match_id)).n
        await place.wait(3 * 24 * 60 * 60)
        stored = await place.stored(place.table.match_id)
        assert stored.n == made
        waits = people[1 - (stored.to_move or 0)]
        await waits.press("Close the table", ephemeral_reply(await waits.slash("splash stop")))
        assert " jumps." not in place.table.text
