"""Computer players at a table."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import TypeVar

import pytest

from bot.engine.worker_task import Read, Task
from bot.games import games
from bot.matches.match import Entry, Match, advance, opening
from bot.sessions.worker_tasks import ChooseMove
from tests.computer_matches import choose_move, memory_after
from tests.discord.bot_harness import (
    MENU,
    BotHarness,
    Person,
    Thinkers,
    bot_harness,
    ephemeral_reply,
    response_of,
)
from tests.discord.toad_player import (
    SHORT_MATCH,
    clever_move,
    computer_menu_id,
    is_between_rounds,
    is_over,
    label_of,
    true_state,
)

T = TypeVar("T")

PAUSE = 8
"""Seconds before a computer player's turn. SimCord does not wait that long for timers."""

MINUTE, HOUR = 60, 60 * 60
MOST_MOVES = 400


@pytest.fixture(autouse=True)
def _computer_players_wait_for_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sessions.turn_clock.COMPUTER_PLAYER_SECONDS", PAUSE)


class Sleepers(Thinkers):
    """Think for so long that nothing comes of it."""

    async def ask(self, task: Task[T], *, who: int, read: Read | None = None) -> T:
        """Sleep over a move."""
        if isinstance(task, ChooseMove):
            await asyncio.sleep(HOUR)
        return await super().ask(task, who=who, read=read)


async def stored_match(place: BotHarness) -> Match:
    """Return the stored match of the table."""
    match = await place.bot.database.journal.find(place.table.match_id)
    assert match is not None
    return match


async def stored_moves(place: BotHarness) -> list[Entry]:
    """Return the moves of the table as they are stored."""
    return await place.bot.database.journal.entries(place.table.match_id)


async def next_player_id(place: BotHarness) -> int:
    """Return the ID of the player to move. A computer player's ID is negative."""
    return (await stored_match(place)).players[(await true_state(place)).turn].id


async def play_or_wait(place: BotHarness, person: Person) -> None:
    """Make a move with the simple strategy, or let the other players' time pass."""
    if await is_between_rounds(place):
        await place.pause()
    elif await next_player_id(place) == person.id:
        state = await true_state(place)
        await person.press_dm(label_of(state, clever_move(state)))
    else:
        await place.wait(PAUSE)


def edit_count(place: BotHarness) -> int:
    """Return the number of requests that showed something, without first responses."""
    asked = [one for one in place.env.http_requests if one.method in {"PATCH", "POST"}]
    return len([one for one in asked if one.path.startswith(("/channels/", "/webhooks/"))])


# ---- a match with computer players --------------------------------------------------------------------


async def test_one_person_can_play_a_match_with_computer_players(tmp_path: Path) -> None:
    """Ann starts alone with computer players, which move and get no DM, mention or rating."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=2, strength=0, lives=1)
        assert len(re.findall(r"frog \w+: ", place.table.alt)) == 2
        assert place.table.text.count("Tadpole") == 2, "how well they play is told once"
        assert "Your hand" in ann.dm.alt
        for _move in range(MOST_MOVES):
            if is_over(place):
                break
            await play_or_wait(place, ann)
        computer_players = [
            player for player in (await stored_match(place)).players if player.is_computer_player
        ]
        assert is_over(place)
        assert all(
            f"🐸 {computer_player.title}" in place.table.text for computer_player in computer_players
        )
        assert not [request for request in place.env.http_requests if "<@-" in str(request.json)]
        opened = [one for one in place.env.http_requests if one.path == "/users/@me/channels"]
        assert len(opened) == 1
        won = int(
            ann.id
            in [(await stored_match(place)).players[seat].id for seat in await winning_seats(place)]
        )
        board = response_of(await ann.slash("leaderboard"))
        assert "No match between people yet" in board.text
        assert "the leaderboard *Against frogs*" in board.text
        assert (
            f"1 Ann: 0, 0, {won}, 1." in response_of(await ann.slash("leaderboard", board="frogs")).alt
        )
        assert f"Against frogs: tadpoles {won} of 1" in response_of(await ann.slash("profile")).text


async def winning_seats(place: BotHarness) -> tuple[int, ...]:
    """Return the seats that won the match of the table."""
    stored = await place.stored(place.table.match_id)
    outcome = stored.game.outcome(stored.state)
    assert outcome is not None
    return outcome.winners


async def test_a_computer_players_turn_is_shown_in_one_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A computer player waits, then makes all moves of its turn. Table and hand are shown once."""
    monkeypatch.setattr(
        "bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH
    )  # no toad in one turn
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=2)
        while await next_player_id(place) != ann.id:
            await place.wait(PAUSE)
        await ann.press("End turn")
        before, made = edit_count(place), len(await stored_moves(place))
        await place.wait(PAUSE - 2)
        assert len(await stored_moves(place)) == made
        await place.wait(2)
        assert len(await stored_moves(place)) > made
        assert await next_player_id(place) == ann.id
        assert edit_count(place) - before == 3  # the table, the hand, and the line that calls Ann


async def test_go_on_is_shown_after_a_claim_until_it_is_pressed(tmp_path: Path) -> None:
    """After a claim, *Go on* is at the table and in the hand, even after a restart, and counts once."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=0)
        while await next_player_id(place) != ann.id:
            await place.wait(PAUSE)
        assert "Go on" not in place.table.labels
        await ann.press_dm("Ribit!")
        await ann.press_dm("Say ribit")
        made = len(await stored_moves(place))
        stands_until = (await stored_match(place)).wakes_at
        await place.restart()
        assert (await stored_match(place)).wakes_at == stands_until
        seen, go_on = place.table, place.table.custom_id("Go on")
        assert "not at this table" in ephemeral_reply(await place.person("Ben").send(seen, go_on)).text
        await ann.press_dm("Go on")
        await ann.send(seen, go_on)
        assert "Go on" not in (*place.table.labels, *ann.dm.labels)
        await place.wait(PAUSE)
        assert len(await stored_moves(place)) > made


async def test_a_computer_players_choices_are_not_shown(tmp_path: Path) -> None:
    """A computer player's choices are not shown. A forged click is answered with the player to move."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1)
        while await next_player_id(place) != ann.id:
            await place.wait(PAUSE)
        await ann.press("End turn")
        on = [label for label in place.table.labels if label != "What happened?"]
        assert on == ["My hand", "How to play"]
        assert place.reminders == []
        forged = await place.old_button_id("end")
        assert "turn" in ephemeral_reply(await ann.send(place.table, forged)).text


async def test_the_deal_button_is_shown_only_if_a_person_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between rounds the deal button is shown only if a person deals."""
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: SHORT_MATCH)
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=2, lives=5)
        dealers = set[bool]()
        while len(dealers) < 2:
            assert not is_over(place)
            if await is_between_rounds(place):
                by_ann = await next_player_id(place) == ann.id
                assert ("Deal the next round" in place.table.labels) == by_ann
                dealers.add(by_ann)
                await place.pause()
            elif await next_player_id(place) == ann.id:
                await ann.press_dm("End turn")
            else:
                await place.wait(PAUSE)


async def test_a_computer_player_repeats_its_choice_after_a_restart(tmp_path: Path) -> None:
    """A computer player interrupted by a restart chooses the same move again."""
    async with bot_harness(tmp_path, opponents=Sleepers()) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=2, strength=1)
        if await next_player_id(place) == ann.id:
            await ann.press("End turn")
        await place.wait(PAUSE)
        begun = await stored_moves(place)
        await place.restart()
        await place.wait(PAUSE)
        match, made = await stored_match(place), await stored_moves(place)
        assert made[: len(begun)] == begun
        assert len(made) > len(begun)
        for entry in made[len(begun) :]:
            if match.players[entry.seat].is_computer_player:
                assert entry.text == memory_before(match, made, entry)


def memory_before(match: Match, made: list[Entry], entry: Entry) -> str:
    """Return the memory of a move's seat that was shown the match up to that move."""
    game, assured = games()[match.game], match.seed
    assert assured is not None
    state = opening(game, match)
    views = [game.view(state, entry.seat)]
    for earlier in made[: entry.n]:
        state = advance(game, state, earlier)
        views.append(game.view(state, entry.seat))
    strength = match.players[entry.seat].strength
    assert strength is not None
    moved = sum(earlier.seat == entry.seat for earlier in made[: entry.n])
    lot = game.lot(assured, entry.n, entry.seat, moved)
    return choose_move(match.game, strength, memory_after(match.game, views), lot)


async def test_computer_players_finish_a_match_without_people_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ann gives up, and the computer players finish the match without delays."""
    # both computer players move
    monkeypatch.setattr("bot.sessions.match_creation.deal_seed", lambda *_of: bytes([1] * 32))
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=2, strength=2, lives=1)
        before = edit_count(place)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "wins the match" in place.table.text
        assert edit_count(place) - before <= 5
        assert "Against frogs: toads 0 of 1" in response_of(await ann.slash("profile")).text


async def test_a_match_left_to_computer_players_finishes_at_once(tmp_path: Path) -> None:
    """After all players have left their seats to computer players, these finish the match at once.

    It counts as lost for each of the players, whichever computer player wins.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = await place.started("Ann", "Ben", "Cleo", lives=1)
        for person in (ben, cleo):
            left = await person.press(
                "Leave it to a frog", response_of(await person.slash("toad leave"))
            )
            assert "A frog is playing for you now" in response_of(left).text
        assert "Ben, Cleo: a frog is playing" in place.table.text
        await place.wait(PAUSE)
        question = response_of(await ann.slash("toad leave"))
        assert "so the frogs will finish this match right away" in question.text
        assert "Join" not in question.text
        left = await ann.press("Leave it to a frog", question)
        assert "the frogs finish this match right away" in response_of(left).text
        assert is_over(place)
        standings = [line for line in place.table.text.splitlines() if re.match("[🥇🥈🥉] <@", line)]
        assert len(standings) == 3
        assert not [line for line in standings if "·" in line], "what frogs did is nobody's"
        for person in (ann, ben, cleo):
            assert "1 match, **0 wins**" in response_of(await person.slash("profile")).text


async def test_a_rematch_seats_the_same_computer_players(tmp_path: Path) -> None:
    """Rematch seats the same computer players. If no seat is free, the cards are dealt."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", frogs=1, strength=0, lives=1)
        hand = response_of(await ann.press("My hand"))
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        over = place.table
        await ann.press("Rematch", hand)
        assert place.table.id > over.id
        assert "turn: take a card" in place.table.text
        assert place.table.text.count("Tadpole") == 1


async def test_computer_players_take_turns_in_frogger(tmp_path: Path) -> None:
    """Three computer players of Frogger move in turn, before and after Ann, whose time runs out."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("frogger start", frogs=3, strength=0, turn=MINUTE)
        for _turn in range(12):
            await place.wait(PAUSE)
        assert {entry.seat for entry in await stored_moves(place)} == {0, 1, 2, 3}


# ---- the lobby -------------------------------------------------------------------------------------


async def test_the_host_can_add_and_remove_computer_players(tmp_path: Path) -> None:
    """The host adds computer players of three strengths by the lobby's menu, and removes each again.

    Each message has a menu with another custom_id, so that no option is picked in it. The menu of an
    earlier message still works.
    """
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", seats=3)
        menu = computer_menu_id(place.table)
        await ann.pick("toad", place.table, menu)
        assert computer_menu_id(place.table) != menu
        pick = {"component_type": MENU, "values": ["tadpole"]}
        await ann.send(place.table, f"f:{place.table.match_id}", **pick)
        toad, tadpole = (await stored_match(place)).players[1:]
        assert f"2. 🐸 {toad.title}" in place.table.text
        assert f"3. 🐸 {tadpole.title}" in place.table.text
        assert (toad.title.split()[-1], tadpole.title.split()[-1]) == ("Toad", "Tadpole")
        assert "Join" not in place.table.labels
        await ann.pick(str(-toad.id), place.table, computer_menu_id(place.table))
        assert f"2. 🐸 {tadpole.title}" in place.table.text
        assert "1 free seat" in place.table.text
        await ann.press("Start")
        assert f"frog {tadpole.name}: 3 of 3 lives" in place.table.alt


async def test_an_invalid_lobby_pick_is_refused(tmp_path: Path) -> None:
    """An invalid pick in the lobby's menu is refused with a sentence, and changes nothing."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start", seats=2)
        menu = computer_menu_id(place.table)

        async def refused(person: Person, pick: str) -> str:
            data = {"component_type": MENU, "values": [pick]}
            before = await stored_match(place)
            said = ephemeral_reply(await person.send(place.table, menu, **data)).text
            assert await stored_match(place) == before
            return said

        assert "Only the host" in await refused(ben, "toad")
        assert "no such frog" in await refused(ann, "pike")
        assert "at this table any more" in await refused(ann, "3")
        assert "at this table any more" in await refused(ann, str(ann.id))
        await ann.pick("froglet", place.table, menu)
        assert "no room for a frog" in await refused(ann, "toad")
        await ann.press("Start")
        assert "already begun" in await refused(ann, "toad")


async def test_too_many_computer_players_open_no_table(tmp_path: Path) -> None:
    """``/toad start`` with too many computer players reports the free seats and opens no table."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        said = response_of(await ann.slash("toad start", seats=3, frogs=3)).text
        assert "room for you and 2 frogs" in said
        assert place.messages == []
        await ann.slash("toad start", seats=3, frogs=1)
        assert "1 free seat" in place.table.text
        assert "Froglet" in place.table.text


async def test_a_lobby_closes_when_the_last_person_leaves(tmp_path: Path) -> None:
    """Frogs do not wait alone. When the last person leaves, the table is closed."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("toad start", seats=3, frogs=1)
        await ann.press("Leave")
        assert "Everybody left" in place.table.text


# ---- a substitute --------------------------------------------------------------------


async def test_a_computer_player_can_replace_an_inactive_player(tmp_path: Path) -> None:
    """Once Ben is absent, Ann lets a computer player play for him. Ben's Join takes the seat back."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", turn=MINUTE, lives=5)
        while "💤 Away: Ben" not in place.table.text:
            if await is_between_rounds(place):
                await place.pause()
            elif await next_player_id(place) == ann.id:
                await ann.press("End turn")
            else:
                await place.wait(MINUTE)
        await ann.press("Let a frog play for Ben")
        assert "Ben: a frog is playing" in place.table.text
        while await next_player_id(place) != ben.id or await is_between_rounds(place):
            await play_or_wait(place, ann)
        made = len(await stored_moves(place))
        pressed = ephemeral_reply(await ben.send(place.table, await place.old_button_id("end")))
        assert "A frog is playing for you" in pressed.text
        await place.wait(PAUSE)
        assert {entry.seat for entry in (await stored_moves(place))[made:]} == {1}
        await ben.press("Join")
        assert "a frog is playing" not in place.table.text
        assert (await stored_match(place)).players[1].strength is None


async def test_a_leaving_player_can_hand_over_the_seat(tmp_path: Path) -> None:
    """A player who leaves may hand the seat to a computer player. The match then counts as lost."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=2)
        for _turn in range(2):  # which costs both a life, so that the match counts
            await place.reminded_player.press("End turn")
        await place.pause()
        question = response_of(await ben.slash("toad leave"))
        await ben.press("Leave it to a frog", question)
        assert "Ben: a frog is playing" in place.table.text
        refused = f"f:{place.table.match_id}:0"
        assert (
            "only play for a player who's away"
            in ephemeral_reply(await ben.send(place.table, refused)).text
        )
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "Ben wins the match" in place.table.text
        said = response_of(await ben.slash("profile")).text
        assert "1 match, **0 wins**" in said, "it began among people"


@pytest.mark.parametrize("by_choice", [True, False])
async def test_a_seat_given_to_a_computer_player_cannot_win(tmp_path: Path, *, by_choice: bool) -> None:
    """A player whose seat was given to a computer player by choice cannot win, an inactive one can."""

    async def until_bens_turn() -> None:
        while await is_between_rounds(place) or await next_player_id(place) != ben.id:
            await play_or_wait(place, ann)

    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=5, turn=MINUTE)
        for _turn in range(2):  # which costs both a life, so that the match counts
            await place.reminded_player.press("End turn")
        if by_choice:
            await ben.press("Leave it to a frog", response_of(await ben.slash("toad leave")))
        else:
            while "Away: Ben" not in place.table.text:
                await (
                    place.wait(MINUTE)
                    if await next_player_id(place) == ben.id
                    else play_or_wait(place, ann)
                )
            await ann.press("Let a frog play for Ben")
        await until_bens_turn()
        await place.wait(PAUSE)
        assert "🐸 Ben" in place.table.text
        await ben.press("Join")
        await until_bens_turn()
        await ben.press("Draw")
        await ben.press("End turn")
        *_earlier, drew = [line for line in place.table.text.splitlines() if "Ben drew a card" in line]
        assert "🐸 Ben drew a card" not in drew
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        assert "🏆 Ben wins the match" in place.table.text
        assert (f"A frog finished for <@{ben.id}>" in place.table.text) is by_choice
        assert f"1 match, **{0 if by_choice else 1} win" in response_of(await ben.slash("profile")).text
