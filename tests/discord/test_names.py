"""Names that want to be more than names, on every surface that shows one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.components import walk_components

from bot.games.american_toad.hints import peek
from bot.sessions.turn_clock import SILENT_SECONDS
from tests.discord.admins import add_user, change_settings
from tests.discord.bot_harness import (
    BUTTON,
    MENU,
    TEXT,
    BotHarness,
    Person,
    Seen,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.strict_discord import deny_permissions
from tests.discord.toad_player import is_over, true_state
from tests.messages.names import HOSTILE, WITH_EMOJI, live_markup

PEOPLE = 6


def rendered_texts(place: BotHarness) -> Iterator[str]:
    """All words that were sent so that Discord renders them."""
    for request in place.env.http_requests:
        body: Any = request.json if isinstance(request.json, dict) else {}
        body = body.get("data") or body
        yield body.get("content") or ""
        for part in walk_components(body.get("components") or []):
            if part.get("type") == TEXT:
                yield part["content"]


def create_people(place: BotHarness, names: Sequence[str], first: int) -> list[Person]:
    found = []
    for number, name in enumerate(names, first):
        user = place.env.create_user(f"somebody{number}", global_name=name)
        found.append(Person(place, place.guild.add_member(user)))
    return found


@pytest.mark.parametrize("first", [0, 6, 12])
async def test_tables_boards_and_profiles_escape_names(tmp_path: Path, first: int) -> None:
    """Names stay plain text in refusals, boards and profiles, also without pictures and in words."""
    shown_as = {6: "no files", 12: "text table"}.get(first, "pictures")
    async with bot_harness(tmp_path) as place:
        place.guild._guild.name = HOSTILE[first]
        somebody = create_people(place, HOSTILE[first : first + PEOPLE], first)
        if shown_as == "no files":
            await deny_permissions(place, "attach_files")
        elif shown_as == "text table":
            await change_settings(place, text_channels=frozenset({place.channel.id}))
        await somebody[0].slash("toad start", lives=1)
        for other in somebody[1:]:
            await other.press("Join")
        await somebody[0].press("Start")
        for _turn in somebody:
            mover = (await true_state(place)).turn
            await somebody[mover - 1].send(place.table, await place.old_button_id("end"))
            await somebody[mover].press("My hand")
            await somebody[mover].press("End turn")
        for leaver in somebody[1:]:
            if not is_over(place):
                await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert is_over(place)
        await somebody[0].slash("leaderboard")
        for each in somebody:
            await each.slash("profile")
        found = {text: live_markup(text) for text in rendered_texts(place) if live_markup(text)}
        assert found == {}


LINK, ADDRESS, BOLD, MENTION, HEADING, CODE = (
    HOSTILE[0],
    HOSTILE[1],
    "**croak**",
    "<@4242424242>",
    "# croak",
    "`croak`",
)


async def test_all_commands_and_controls_escape_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command, with each choice, and each control of its answers show hostile names as plain text.

    The server, its channel and its members have such names, there is a match in progress and one that is
    over, and two members play the deal of the day.
    """
    monkeypatch.setattr("bot.games.american_toad.hints.WORLDS", 1)  # the hint itself does not matter
    monkeypatch.setattr(peek, "__kwdefaults__", {"nodes": 100})
    async with bot_harness(tmp_path) as place:
        place.guild._guild.name = LINK
        place.env.backend.get_channel(place.channel.id).name = ADDRESS
        guests = create_people(place, (LINK, BOLD, HEADING, CODE), 1)
        host = add_user(place, "Ada", administrator=True)
        rename_user(place, host, MENTION)
        for each in (*guests, host):
            await each.slash("solitaire daily")
        daily = response_of(await host.slash("solitaire daily"))
        await host.press("Give up", response_of(await host.press("Give up", daily)))
        assert "Played" in place.notice.text
        assert "Playing" in place.notice.text
        seats = (host, *guests[:2])
        await start_match(seats, "toad")
        await lose_round(place, seats)
        for each in seats[:2]:
            await each.press("Give up", response_of(await each.slash("toad leave")))
        assert is_over(place)
        over = place.table
        await start_match(seats, "frogger")
        for command, options in command_uses(place, guests[0]):
            result = await host.slash(command, **options)
            for answer in filter(None, (result.response, *result.followups)):
                await press_all(host, Seen(answer))
        await press_all(host, over)
        assert {text: live_markup(text) for text in rendered_texts(place) if live_markup(text)} == {}


async def start_match(seats: Sequence[Person], game: str) -> None:
    """Start a match of these users as the first of them."""
    await seats[0].slash(f"{game} start")
    for each in seats[1:]:
        await each.press("Join")
    await seats[0].press("Start")


def command_uses(place: BotHarness, person: Person) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each slash command with each of its choices, and with ``person`` if it asks for a user."""
    for command in place.bot.tree.walk_commands():
        if not isinstance(command, app_commands.Command):
            continue
        options: dict[str, Any] = {}
        choices = list[dict[str, Any]]()
        for option in command.parameters:
            if option.type is discord.AppCommandOptionType.user:
                options[option.name] = person.actor
            elif option.type is discord.AppCommandOptionType.string and option.choices:
                choices = [{option.name: choice.value} for choice in option.choices]
            elif option.required:
                options[option.name] = "2025-12-31"
        yield from ((command.qualified_name, options | choice) for choice in choices or [{}])


async def press_all(person: Person, seen: Seen) -> None:
    """Press each button of a message, and pick the first option of each menu."""
    for control in [*seen._parts(BUTTON), *seen._parts(MENU)]:
        picked = [option["value"] for option in control.get("options", ())[:1]]
        data = {"component_type": MENU, "values": picked} if picked else {}
        await person.send(seen, control["custom_id"], **data)


async def test_pictures_use_the_user_name_for_an_undrawable_name(tmp_path: Path) -> None:
    """A name that no font can draw is in the text, and the user name replaces it in pictures."""
    names = ("ተስፋዬ", "李小龍", "さくら", "김민수")
    async with bot_harness(tmp_path) as place:
        zoe, *others = somebody = await start_with_names(place, names)
        await place.restart()
        await lose_round(place, somebody)
        alt, text = place.table.alt, place.table.text
        for leaver in (zoe, *others[:-1]):
            await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert f"{names[-1]} wins" in place.table.text
        board = response_of(await zoe.slash("leaderboard", board="toad")).alt
        for number, (each, name) in enumerate(zip(others, names, strict=True), 2):
            assert f"somebody{number}" in alt
            assert name not in alt
            assert name in text
            assert f"somebody{number}" not in text
            assert f"somebody{number}" in board
            assert f"🐸 {name}\n" in response_of(await each.slash("profile")).text


async def start_with_names(place: BotHarness, names: Sequence[str]) -> list[Person]:
    """Start a match of Zoe, whose user is somebody1, with users of these names."""
    zoe, *others = somebody = create_people(place, ("Zoe", *names), 1)
    await zoe.slash("toad start", lives=2)
    for other in others:
        await other.press("Join")
    await zoe.press("Start")
    return somebody


async def lose_round(place: BotHarness, people: Sequence[Person]) -> None:
    """Let all pass, which costs each a life, so that the match counts."""
    for _turn in people:
        await people[(await true_state(place)).turn].press("End turn")
    await place.pause()


UNSEEN = (
    "\u3164",
    "\u115f\u1160",
    "\uffa0\uffa0",
    "\u2800 \u2800",
    "\U0001d159",
    "\u034f\ufe00",
    "\ufffc",
    "🐸",
)
"""Names that show nothing, or nothing that is for people."""


@pytest.mark.parametrize("names", [UNSEEN[:4], UNSEEN[4:]], ids=["letters", "signs"])
async def test_a_user_name_replaces_an_invisible_name(tmp_path: Path, names: tuple[str, ...]) -> None:
    """A user with an invisible name is shown by the user name everywhere."""
    async with bot_harness(tmp_path) as place:
        zoe, *nobodies = somebody = await start_with_names(place, names)
        shown_as = [f"somebody{number}" for number, _each in enumerate(nobodies, 2)]
        assert all(name in place.table.alt for name in shown_as)
        for each in nobodies:
            await each.press("Open it in a thread", ephemeral_reply(await each.slash("toad start")))
        threads = sorted(str(thread.name) for thread in place.channel.threads)
        assert threads == [f"Toad with {name}" for name in shown_as]
        await lose_round(place, somebody)
        for leaver in (zoe, *nobodies[:-1]):
            await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert f"{shown_as[-1]} wins" in place.table.text
        board = response_of(await zoe.slash("leaderboard", board="toad")).alt
        for each, name in zip(nobodies, shown_as, strict=True):
            assert name in board
            assert f"🐸 {name}\n" in response_of(await each.slash("profile")).text


RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff]")
ISOLATED = re.compile("\u2068[^\u2068\u2069]*(?:\u2069|…$)")


def texts_in(body: Any) -> Iterator[str]:
    """All texts anywhere in a request."""
    match body:
        case str():
            yield body
        case dict() | list():
            for part in body.values() if isinstance(body, dict) else body:
                yield from texts_in(part)


async def test_right_to_left_names_do_not_reorder_text(tmp_path: Path) -> None:
    """A name written from right to left never changes the order of the text after it."""
    async with bot_harness(tmp_path) as place:
        long = "\ufdfa" * 32
        zoe, sara, dana = create_people(place, ("Zoe", "سارة 12", "דנה"), 1)
        place.guild._guild.name = "שלולית"
        await zoe.slash("toad start", lives=2, turn=0)
        for other in (sara, dana):
            await other.press("Join")
        offer = ephemeral_reply(await sara.slash("toad start"))
        await sara.press("Open it in a thread", offer)
        [thread] = place.channel.threads
        assert "\u2068سارة 12\u2069" in str(thread.name)
        await zoe.press("Start")
        for _turn in range(3):
            await (zoe, sara, dana)[(await true_state(place)).turn].press("End turn")
            await zoe.press("My hand")
        await place.pause()
        if not (await true_state(place)).turn:
            await zoe.press("End turn")
        await place.wait(SILENT_SECONDS + 1)
        assert any(map(RIGHT_TO_LEFT.search, place.table.labels))
        for leaver in (sara, zoe):
            await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert is_over(place)
        await zoe.slash("leaderboard", board="toad")
        await dana.slash("profile")
        sent = [text for request in place.env.http_requests for text in texts_in(request.json)]
        named = [text for text in sent if RIGHT_TO_LEFT.search(text)]
        assert len(named) > 9
        assert [text for text in named if RIGHT_TO_LEFT.search(ISOLATED.sub("", text))] == []
        rename_user(place, sara, long)
        set_nickname(place, sara, None)
        await sara.slash("toad start")
        await sara.slash("toad start")
        await sara.press("Open it in a thread", ephemeral_reply(await sara.slash("toad start")))
        assert len(place.channel.threads) == 2, "a name that is longer spelled out fits"


async def test_equal_names_are_shown_with_user_names(tmp_path: Path) -> None:
    """Equal names at a table, and on a board, have the user names beside them."""
    async with bot_harness(tmp_path) as place:
        both = create_people(place, ("Ben", "Ben\u2800"), 1)
        await both[0].slash("toad start", lives=2)
        await both[1].press("Join")
        await both[0].press("Start")
        for number in (1, 2):
            assert f"Ben (somebody{number})" in place.table.alt
        await lose_round(place, both)
        await both[0].press("Give up", response_of(await both[0].slash("toad leave")))
        assert r"Ben \(somebody2\) wins" in place.table.text
        board = response_of(await both[0].slash("leaderboard", board="toad"))
        assert "Ben (somebody1)" in board.alt
        assert "Ben (somebody2)" in board.alt


def rename_user(place: BotHarness, person: Person, name: str) -> None:
    """Change a user's name in Discord from the next interaction on."""
    place.env.backend.users[person.id].global_name = name


def set_nickname(place: BotHarness, person: Person, name: str | None) -> None:
    """Change a user's nickname in the server."""
    place.env.backend.get_guild(place.guild.id).members[person.id].nick = name


async def test_any_interaction_updates_a_users_name(tmp_path: Path) -> None:
    """A command or click of a renamed user updates tables and boards. Nicknames have precedence."""
    async with bot_harness(tmp_path) as place:
        ann, ben = people = await place.started("Ann", "Ben", lives=2)
        await lose_round(place, people)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        await ann.press("Rematch")
        await ben.press("Join")
        await ann.press("Start")
        rename_user(place, ben, "Benedict")
        await ben.slash("toad hand")
        await place.env.settle()
        assert "Benedict" in place.table.alt
        await place.restart()
        assert "Benedict:" in response_of(await ann.slash("toad table")).alt
        assert "Benedict" in response_of(await ann.slash("leaderboard", board="toad")).alt
        await ann.slash("toad table")
        set_nickname(place, ann, "Queen Ann")
        await ann.press("My hand")
        assert "Queen Ann" in place.table.alt
        rename_user(place, ben, "Benny")
        rename_user(place, ann, "Annie")
        await (ann, ben)[(await true_state(place)).turn].press_dm("End turn")
        await (ann, ben)[(await true_state(place)).turn].press_dm("End turn")
        await place.env.settle()
        assert "Benny" in place.table.alt
        assert "Queen Ann" in place.table.alt, "the server's own name for her stays"
        board = response_of(await ann.slash("leaderboard", board="toad")).alt
        assert "Benny" in board
        assert "Queen Ann" in board
        set_nickname(place, ann, None)
        assert "Annie" in response_of(await ann.slash("leaderboard", board="toad")).alt


async def test_an_unchanged_name_is_not_stored_again(tmp_path: Path) -> None:
    """An unchanged name is neither stored nor shown again."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben")
        version = (await place.stored(place.table.match_id)).match.version
        for _time in range(2):
            await ann.slash("toad hand")
            await ann.slash("profile")
        assert (await place.stored(place.table.match_id)).match.version == version


async def test_names_omit_characters_that_no_font_has(tmp_path: Path) -> None:
    """Characters that no font can draw are left out of a name in texts as well."""
    chosen = list(WITH_EMOJI)
    async with bot_harness(tmp_path) as place:
        somebody = create_people(place, chosen, 0)
        await somebody[0].slash("toad start")
        for other in somebody[1:]:
            await other.press("Join")
        await somebody[0].press("Start")
        turn = (await place.stored(place.table.match_id)).to_move
        assert turn is not None
        refused = ephemeral_reply(
            await somebody[turn - 1].send(place.table, await place.old_button_id("end"))
        )
        assert f"It's <@{somebody[turn].id}>'s turn." in refused.text
        seen = [place.table, response_of(await somebody[turn - 1].slash("toad hand"))]
        for each, name in zip(somebody, chosen, strict=True):
            assert f"{WITH_EMOJI[name]}:" in seen[0].alt
            assert all(name not in one.text + one.alt for one in seen)
            profile = response_of(await each.slash("profile"))
            assert f"🐸 {WITH_EMOJI[name]}\n" in profile.text
        assert f"{WITH_EMOJI[chosen[turn]]}" in place.table.text
        await lose_round(place, somebody)
        for leaver in somebody[1:]:
            await leaver.press("Give up", response_of(await leaver.slash("toad leave")))
        assert f"🏆 {WITH_EMOJI[chosen[0]]} wins" in place.table.text
        board = response_of(await somebody[0].slash("leaderboard", board="toad"))
        assert all(WITH_EMOJI[name] in board.alt for name in chosen)
        assert all(name not in board.text + board.alt for name in chosen)
