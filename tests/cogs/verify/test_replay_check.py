"""Matches of every game are verified, and whatever is tampered with is found."""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import blake2b, sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.__main__ import main
from bot.engine.lots import lot_of
from bot.engine.opponent import Strength
from bot.engine.translation import speaking
from bot.engine.worker_task import Unfinished
from bot.games import games
from bot.games.frogger.search_state import course_of
from bot.languages import load_languages
from bot.matches.commitment import deal_seed, number_by_lot, opened_record
from bot.matches.match import LEAVES, Entry, Match, Player, Stage
from bot.opponents import Opponents, pool
from bot.sessions.lobby import begun
from bot.sessions.match_creation import add_seed
from bot.sessions.table_state import Table
from cogs.verify.check import CheckReport, Fault, check_record, record_of
from cogs.verify.content import report_words
from cogs.verify.record_file import MOST_BYTES, Record, read, serialize_record
from cogs.verify.tasks import VerifyMatch
from tests import forked_processes
from tests.computer_matches import choose_move, memory_after
from tests.examples import few_or_all
from tests.guests import games_with_guests
from tests.test_startup_and_docs import ROOT

SECRET = bytes(range(32))
JOINS = (1_456_000_000_000_000_001, 1_456_000_000_000_000_999)
COMPUTER_PLAYERS = (
    Player(-1, "Pip", strength=Strength.FROGLET),
    Player(-2, "Dot", strength=Strength.TADPOLE),
)
MOST_MOVES, MOST_COMPARED = 200, 24
Document = dict[str, Any]


def new_table(key: str, secret: bytes, rules: int | None = None) -> Table:
    """Return a new table with two people and, if there is room, two computer players."""
    known = games_with_guests()[key]
    game = known if rules is None else known.by_rules(rules)
    assert game is not None
    info = game.info
    computer_players = COMPUTER_PLAYERS[: info.most - 1] if game.thinking else ()
    seated = max(min(len(JOINS), info.most - len(computer_players)), info.fewest - len(computer_players))
    joins = (JOINS[0], *(JOINS[1] + later for later in range(seated - 1)))
    people = (Player(place, "Ada", interaction=each) for place, each in enumerate(joins, 1))
    players = (*people, *computer_players)
    options = {option.key: option.default for option in game.info.options}
    start = JOINS[0] if game.info.is_solo else 1_456_000_000_000_012_345
    match = Match(
        "abcd1234", key, game.info.rules_version, 1, 2, 1, players, len(players), options, secret=secret
    )
    match = replace(match, opened_by=JOINS[0])
    if game.find_deal is not None:
        seed = add_seed(match, game, b"", start).seed or b""
        drawn = {
            option.key: number_by_lot(option, seed) for option in game.info.options if option.by_lot
        }
        match = replace(match, options=game.find_deal({**options, **drawn}))
    return begun(Table(match, game), b"", 0, start)


def finished_match(key: str, rules: int | None = None) -> tuple[Match, list[Entry]]:
    """Return a finished match by some rules, or by the newest ones."""
    return _play_match(key, rules or games_with_guests()[key].info.rules_version)


@cache
def _play_match(key: str, rules: int) -> tuple[Match, list[Entry]]:
    """Play a match. Computer players use their opponents, and people move at random.

    A game that nobody can leave is played on to its end.
    """
    table, entries, chance = new_table(key, SECRET, rules), list[Entry](), Random(key)
    game = table.game
    while (seat := game.to_move(table.state)) is not None:
        player, n = table.match.players[seat], len(entries)
        if n >= MOST_MOVES and game.can_be_left and not player.is_computer_player:
            text = LEAVES
        elif player.strength is None or game.automatic(table.state) is not None:
            text = game.write(chance.choice(game.legal_moves(table.state)))
        else:
            text = choose_move(key, player.strength, table.memories[seat], table.lot)
        entries.append(Entry(n, seat, text))
        table = table.after_move(entries[-1])
    return replace(table.match, stage=Stage.FINISHED), entries


def record_file(match: Match, entries: list[Entry]) -> bytes:
    game = games_with_guests()[match.game].by_rules(match.rules_version)
    assert game is not None
    return serialize_record(record_of(game, match, entries))


@cache
def toad_record_file() -> bytes:
    """Return the file of a match of Toad with a second round and a reshuffle."""
    return record_file(*finished_match("toad"))


def run_verify_command(path: Path) -> subprocess.CompletedProcess[str]:
    """Run the command of a player who has downloaded a file."""
    return forked_processes.run_program("bot", "verify", str(path), folder=ROOT, environment=os.environ)


def standalone_verifier() -> str:
    """Return the verifier of the docs, which uses nothing of Ribit."""
    return (ROOT / "docs" / "check.py").read_text("utf-8")


DIGESTS = {
    ("toad", 4): "a5fb0f2d5ba0650e7a7c2430",
    ("toad", 3): "1ca1c45b2adcef79414da932",
    ("toad", 2): "215c8d6fd5c63a11a4dfc6ec",
    ("frogger", 2): "ec5167506c9f296cc47f9314",
    ("frogger", 1): "66426be13c33b2402aba803c",
    ("american_toad", 1): "473c2ad3955984268b8546ea",
}
"""Tables of these games and rules with the computer players of CHOSEN. They must never change."""


@pytest.mark.parametrize(("key", "rules"), DIGESTS)
def test_every_game_is_verified_by_the_command_and_the_script(
    tmp_path: Path, key: str, rules: int
) -> None:
    """The command and the program in the docs verify every game, and print what they checked.

    Both print the times of the interactions and the digest to compare.
    """
    assert len(standalone_verifier().splitlines()) <= 75
    check = tmp_path / "check.py"
    check.write_text(standalone_verifier(), "utf-8")
    match, entries = finished_match(key, rules)
    file = tmp_path / f"{key}.json"
    file.write_bytes(record_file(match, entries))
    ours = run_verify_command(file)
    assert ours.returncode == 0, ours.stderr
    assert "I checked every shuffle" in ours.stdout
    assert ("every frog's choice" in ours.stdout) == (games()[key].thinking is not None)
    command = [sys.executable, "-I", str(check), str(file)]
    alone = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (alone.returncode, alone.stderr) == (0, "")
    for said in (ours, alone):
        assert f"showed {DIGESTS[key, rules]}" in said.stdout
        assert re.search(rf"{JOINS[0]},? 2025-12-31 19:04:", said.stdout)
    turned = json.loads(file.read_bytes())
    turned["draws"][-1]["order"].reverse()
    file.write_text(json.dumps(turned), "utf-8")
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("key", sorted(games_with_guests().keys() - {key for key, _rules in DIGESTS}))
def test_a_third_party_game_can_be_verified(key: str) -> None:
    """A game that is not built in is verified, with or without computer players."""
    game, (match, entries) = games_with_guests()[key], finished_match(key)
    report = check_record(game, read(record_file(match, entries)))
    assert report.fault is None
    assert (report.chosen > 0) == (game.thinking is not None)


def test_another_match_with_the_same_secret_has_another_digest() -> None:
    """A different match with the same secret has another digest than the one shown at the table."""
    toad = games()["toad"]
    true, match = opened_record(new_table("toad", SECRET).match), new_table("toad", SECRET).match
    others = (
        replace(match, id="abcd1235"),
        replace(match, options={**match.options, "lives": 2}),
        replace(match, players=match.players[::-1]),
        replace(match, players=match.players[:3]),
        replace(match, started_by=match.started_by + 1),
        replace(match, opened_by=match.opened_by - 1),
        replace(match, opened_by=0),
    )
    for other in others:
        made_up = opened_record(begun(Table(other, toad), b"", 0, other.started_by).match)
        assert (made_up.commitment, made_up.secret) == (true.commitment, true.secret)
        assert made_up.digest != true.digest


def _change_commitment(file: Document) -> None:
    file["commitment"] = "0" * 64


def _change_secret(file: Document) -> None:
    file["secret"] = "0" * 64


def _change_seed(file: Document) -> None:
    file["seed"] = "0" * 64


def _change_interaction(file: Document) -> None:
    file["seats"][1]["interaction"] = file["interactions"][1] = str(JOINS[1] + 1)


def _move_join_before_opening(file: Document) -> None:
    file["seats"][0]["interaction"] = file["interactions"][0] = str(JOINS[0] - 1)


def _move_start_before_join(file: Document) -> None:
    file["started_by"] = file["interactions"][2] = str(JOINS[1] - 1)


def _swap_seats(file: Document) -> None:
    file["seats"][:2] = file["seats"][1::-1]
    file["interactions"][:2] = file["interactions"][1::-1]


def _clear_opening(file: Document) -> None:
    file["opened_by"] = "0"


def _reverse_computer_seats(file: Document) -> None:
    file["seats"][2:] = file["seats"][:1:-1]


def _change_match_id(file: Document) -> None:
    file["match"] = "abcd1235"


def _change_thinking(file: Document) -> None:
    file["thinking"] = 99


def _change_hints(file: Document) -> None:
    file["options"]["hints"] = 1


def _add_daily_option(file: Document) -> None:
    file["options"]["daily"] = 20261126


def _insert_zeros_in_secret(file: Document) -> None:
    """Insert zeros. They give the same seed but another commitment."""
    file["secret"] += "00"
    file["commitment"] = sha256(bytes.fromhex(file["secret"])).hexdigest()


def _remove_secret(file: Document) -> None:
    file["secret"] = file["seed"] = None


def _remove_draws(file: Document) -> None:
    file["draws"] = []


def _change_unused_draw(file: Document) -> None:
    file["draws"][-1]["order"].reverse()
    file["draws"][-1]["after"] = 1_000_000


def _reduce_lot_choices(file: Document) -> None:
    lot = next(draw for draw in file["draws"] if "choices" in draw)
    lot["choices"], lot["drawn"] = 1, 0


def _change_listed_interaction(file: Document) -> None:
    file["interactions"][0] = "1"


def _reverse_second_round(file: Document) -> None:
    draw = next(draw for draw in file["draws"] if draw["purpose"] == "round 2")
    draw["order"].reverse()


def _insert_illegal_move(file: Document) -> None:
    file["moves"][0]["move"] = "deal"


def _insert_unreadable_move(file: Document) -> None:
    file["moves"][3]["move"] = "discard XX"


def _change_turn(file: Document) -> None:
    file["moves"][0]["seat"] = (file["moves"][0]["seat"] + 1) % 4


def _remove_last_move(file: Document) -> None:
    file["moves"].pop()


def _change_lot(file: Document) -> None:
    next(move for move in file["moves"] if "lot" in move)["lot"] = "00"


def _remove_lot(file: Document) -> None:
    del next(move for move in file["moves"] if "lot" in move)["lot"]


def _add_lot_to_person(file: Document) -> None:
    next(move for move in file["moves"] if "lot" not in move)["lot"] = "00"


def _remove_interaction(file: Document) -> None:
    file["seats"][0]["interaction"] = "0"
    del file["interactions"][0]


def _lengthen_id(file: Document) -> None:
    file["started_by"] = "9" * 5000


def _negate_id(file: Document) -> None:
    file["started_by"] = "-7"


def _set_invalid_hexadecimal(file: Document) -> None:
    file["secret"] = "zz"


def _change_winner(file: Document) -> None:
    file["winners"] = [0] if file["winners"] != [0] else [1]


def _change_options(file: Document) -> None:
    file["options"]["lives"] = 10**9


def _change_version(file: Document) -> None:
    file["version"] = 3


def _change_form(file: Document) -> None:
    file["form"] = "recipe"


def _remove_moves(file: Document) -> None:
    del file["moves"]


def _change_moves_type(file: Document) -> None:
    file["moves"] = {"seat": 0}


def _set_unknown_game(file: Document) -> None:
    file["game"] = "poker"


def _change_computer_move(file: Document) -> None:
    """Replace a computer player's move with another legal one that takes a different card."""
    first = next(n for n, move in enumerate(file["moves"]) if "lot" in move)
    was = file["moves"][first]["move"]
    assert was.startswith(("take", "draw"))
    file["moves"][first]["move"] = "take nothing" if was != "take nothing" else "take 1"


def _repeat_draw(file: Document) -> None:
    """Repeat the shuffle of the second round, of which the program of the page counts the rounds."""
    draws = file["draws"]
    at = next(n for n, draw in enumerate(draws) if draw["purpose"] == "round 2")
    draws.insert(at, draws[at])


def _repeat_reshuffle(file: Document) -> None:
    draws = file["draws"]
    at = next(n for n, draw in enumerate(draws) if "reshuffle" in draw["purpose"])
    draws.insert(at, draws[at])


def _repeat_lot(file: Document) -> None:
    file["draws"].insert(0, file["draws"][0])


def _swap_draws(file: Document) -> None:
    file["draws"][:2] = file["draws"][1::-1]


def _reverse_draws(file: Document) -> None:
    file["draws"].reverse()


def _mark_person_move_simple(file: Document) -> None:
    next(move for move in file["moves"] if "lot" not in move)["simple"] = True


def _set_simple_to_number(file: Document) -> None:
    next(move for move in file["moves"] if "lot" in move)["simple"] = 1


def _set_simple_to_false(file: Document) -> None:
    next(move for move in file["moves"] if "lot" in move)["simple"] = False


def _add_foreign_option(file: Document) -> None:
    file["options"]["deal"] = 5


def _add_unknown_field(file: Document) -> None:
    file["note"] = "right"


def _add_unknown_move_field(file: Document) -> None:
    file["moves"][0]["note"] = "right"


def _add_unknown_draw_field(file: Document) -> None:
    file["draws"][-1]["note"] = "right"


def _capitalize_secret(file: Document) -> None:
    file["secret"] = file["secret"].upper()


def _set_lives_to_float(file: Document) -> None:
    file["options"]["lives"] = float(file["options"]["lives"])


def _set_after_to_float(file: Document) -> None:
    file["draws"][-1]["after"] = float(file["draws"][-1]["after"])


def _set_drawn_to_float(file: Document) -> None:
    file["draws"][0]["drawn"] = float(file["draws"][0]["drawn"])


def _set_version_to_float(file: Document) -> None:
    file["version"] = 2.0


def _set_winner_to_float(file: Document) -> None:
    file["winners"] = [float(seat) for seat in file["winners"]]


def _set_seat_to_bool(file: Document) -> None:
    next(move for move in file["moves"] if move["seat"] == 1)["seat"] = True


def _set_negative_seat(file: Document) -> None:
    move = file["moves"][0]
    move["seat"] -= len(file["seats"])


OTHER_FORM = "is missing or of another form"
TAMPERED: dict[Callable[[Document], None], str] = {
    _change_commitment: "The commitment doesn't match the secret",
    _change_secret: "The commitment doesn't match the secret",
    _change_seed: "The seed doesn't come from this secret",
    _change_interaction: "something was changed, or the cards weren't dealt",
    _move_join_before_opening: "aren't in the order of the seats",
    _move_start_before_join: "aren't in the order of the seats",
    _swap_seats: "aren't in the order of the seats",
    _clear_opening: "An interaction is missing",
    _reverse_computer_seats: "something was changed, or the cards weren't dealt",
    _change_match_id: "something was changed, or the cards weren't dealt",
    _change_thinking: "something was changed, or the cards weren't dealt",
    _change_hints: "something was changed, or the cards weren't dealt",
    _add_daily_option: "aren't possible: the file was changed",
    _insert_zeros_in_secret: OTHER_FORM,
    _remove_secret: "aren't possible: the file was changed",
    _remove_draws: "another result for “first dealer”",
    _change_unused_draw: "another result for",
    _reduce_lot_choices: "another result for “first dealer”",
    _change_listed_interaction: OTHER_FORM,
    _reverse_second_round: "another result for “round 2”",
    _insert_illegal_move: "couldn't have made move 1",
    _insert_unreadable_move: "couldn't have made move 4",
    _change_turn: "couldn't have made move 1",
    _remove_last_move: "some are missing or were added",
    _change_lot: "a frog another random number",
    _remove_lot: "a frog another random number",
    _add_lot_to_person: "aren't possible: the file was changed",
    _remove_interaction: "An interaction is missing",
    _lengthen_id: OTHER_FORM,
    _negate_id: OTHER_FORM,
    _set_invalid_hexadecimal: OTHER_FORM,
    _change_computer_move: "isn't the one this frog would have made",
    _change_winner: "names the wrong winners",
    _change_options: "aren't possible: the file was changed",
    _change_version: "of another version than 2",
    _change_form: "not the record of a match",
    _remove_moves: OTHER_FORM,
    _change_moves_type: OTHER_FORM,
    _set_unknown_game: "does not know the game or its rules",
    _repeat_draw: "another result for “round 3”",
    _repeat_reshuffle: "another result for “round",
    _repeat_lot: "another result for “",
    _swap_draws: "another result for “first dealer”",
    _reverse_draws: "another result for “first dealer”",
    _mark_person_move_simple: "aren't possible: the file was changed",
    _set_simple_to_number: OTHER_FORM,
    _set_simple_to_false: OTHER_FORM,
    _add_foreign_option: "aren't possible: the file was changed",
    _add_unknown_field: OTHER_FORM,
    _add_unknown_move_field: OTHER_FORM,
    _add_unknown_draw_field: OTHER_FORM,
    _capitalize_secret: OTHER_FORM,
    _set_lives_to_float: OTHER_FORM,
    _set_after_to_float: OTHER_FORM,
    _set_drawn_to_float: OTHER_FORM,
    _set_version_to_float: OTHER_FORM,
    _set_winner_to_float: OTHER_FORM,
    _set_seat_to_bool: OTHER_FORM,
    _set_negative_seat: "aren't possible: the file was changed",
}


PLAYED = {
    _insert_illegal_move,
    _insert_unreadable_move,
    _change_turn,
    _remove_last_move,
    _change_computer_move,
    _change_winner,
}
"""Faults that only the rules detect. The page's program accepts them or finds their consequences."""


def is_verified_standalone(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> bool:
    """Return whether the program of the page finds a file right."""
    monkeypatch.setattr(sys, "argv", ["check.py", str(path)])
    with suppress(SystemExit, LookupError, ValueError, TypeError, AttributeError):
        exec(standalone_verifier(), {})
    return "Right" in capsys.readouterr().out


@pytest.mark.parametrize("tamper", TAMPERED)
def test_each_type_of_tampering_has_its_own_message(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tamper: Callable[[Document], None],
) -> None:
    """The standalone verifier refuses a changed file too, unless detection requires the game's rules."""
    document, path = json.loads(toad_record_file()), tmp_path / "match.json"
    tamper(document)
    path.write_text(json.dumps(document), "utf-8")
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr()
    assert TAMPERED[tamper] in said.err
    assert said.out == ""
    assert not is_verified_standalone(path, monkeypatch, capsys) or tamper in PLAYED


def test_a_match_without_an_opening_interaction_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match made up by its secret, with all that follows from that, is right but for its first id."""
    toad, path = games()["toad"], tmp_path / "match.json"
    lobby = new_table("toad", SECRET).match
    for opened_by in (JOINS[0], 0):
        match = replace(lobby, opened_by=opened_by, seed=None)
        seed = deal_seed(SECRET, opened_record(match).terms)
        match = replace(match, seed=seed, stage=Stage.STOPPED)
        path.write_bytes(serialize_record(record_of(toad, match, [])))
        assert (main(["verify", str(path)]) == 0) == bool(opened_by)
        assert ("An interaction is missing" in capsys.readouterr().err) != bool(opened_by)
        assert is_verified_standalone(path, monkeypatch, capsys) == bool(opened_by)


def test_invalid_files_are_refused_with_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files that are cut, empty, huge or not there have their sentences."""
    path = tmp_path / "match.json"
    for file, sentence in {
        toad_record_file()[:-300]: "is not the record of a match, or is cut",
        b"": "is not the record of a match, or is cut",
        b"\xff\xfe\xfa": "is not the record of a match, or is cut",
        b"[" * 200_000: "is not the record of a match, or is cut",
        b" " * (MOST_BYTES + 1): "not the record of a match",
    }.items():
        path.write_bytes(file)
        assert main(["verify", str(path)]) == 1, sentence
        said = capsys.readouterr()
        assert sentence in said.err
        assert said.out == ""
    assert main(["verify", str(tmp_path / "none.json")]) == 1
    assert "cannot be read" in capsys.readouterr().err


def test_a_match_with_an_uncommitted_deal_is_refused() -> None:
    """Deals from a number, a date or Ribit's secret alone, without clicks of players, are refused."""
    toad = games()["toad"]
    match = replace(new_table("toad", SECRET).match, stage=Stage.STOPPED)
    numbered = replace(match, secret=None, seed=b"", options={**match.options, "deal": 5})
    assert check_record(toad, record_of(toad, numbered, [])).fault is Fault.OPTIONS
    people = tuple(replace(player, interaction=0) for player in match.players)
    alone = replace(match, players=people, started_by=0, opened_by=0, seed=deal_seed(SECRET, ""))
    for options, fault in (
        (match.options, Fault.NO_INTERACTION),
        ({**match.options, "daily": 20261126}, Fault.OPTIONS),
    ):
        record = record_of(toad, replace(alone, options=options), [])
        assert check_record(toad, record).fault is fault
    solitaire = games()["american_toad"]
    solo = replace(finished_match("american_toad")[0], stage=Stage.STOPPED)
    days = record_of(solitaire, replace(solo, options={**solo.options, "daily": 20261126}), [])
    assert check_record(solitaire, days).fault is Fault.OPTIONS, "nothing goes into a day's deal"


def test_the_report_names_a_deal_chosen_by_number() -> None:
    """A deal chosen by number has no commitment, and the report says so."""
    match, entries = finished_match("american_toad")
    record = record_of(games()[match.game], replace(match, secret=None), entries)
    report = check_record(games()[match.game], record)
    assert report.fault is None
    assert "chosen by its number" in report_words(record, report)
    assert "✅" not in report_words(record, report), "nothing is proved of it"
    earlier = replace(record, started_by=0)
    assert "before I started posting commitments" in report_words(earlier, report)
    drawn = record_of(games()[match.game], match, entries)
    another = replace(drawn, options={**drawn.options, "deal": 8, "par": 0}, moves=(), draws=())
    assert check_record(games()[match.game], another).fault is Fault.NUMBER


CHOSEN = {"toad": (2, "bc150dfcd5fc4881"), "frogger": (2, "4b8a7c89ed19e70e")}
"""The version of each game's computer players, and a digest of the moves that they choose."""

RULES = {"toad": 3, "frogger": 2}
"""The rules of the matches in which they choose. Other rules would give the match another seed."""

CLOSE = {
    "toad": [(5, 28, Strength.TOAD), (280, 18, Strength.TOAD)],
    "frogger": [(168, 47, Strength.FROGLET), (170, 51, Strength.FROGLET), (181, 15, Strength.FROGLET)],
}
"""Positions in which version 1 chose another move if float sums were compensated, as in Python 3.12.

Each is its number and the number of moves before it."""


def close_position_moves(key: str) -> list[str]:
    """Return the opponent's moves in those positions, which random moves reach."""
    game, moves = games()[key], list[str]()
    options = {option.key: option.default for option in game.info.options}
    for number, n, strength in CLOSE[key]:
        chance, seats = Random(number), 2 + number % (game.info.most - 1)
        chance.randrange(5, 60)
        seed = lot_of(bytes(32), number)
        state, views = game.deal(seats, options, seed), [list[Any]() for _seat in range(seats)]
        for _move in range(n):
            for seat, seen in enumerate(views):
                seen.append(game.view(state, seat))
            legal = [move for move in game.legal_moves(state) if game.write(move) != "ribit"]
            state = game.play(state, chance.choice(legal))
        mover = game.to_move(state)
        assert mover is not None
        memory = memory_after(key, [*views[mover], game.view(state, mover)])
        moves.append(choose_move(key, strength, memory, lot_of(seed, n)))
    return moves


def _plain_sum(numbers: Iterable[Any], start: Any = 0) -> Any:
    """Add numbers as Python does up to 3.11."""
    for number in numbers:
        start = start + number
    return start


def _compensated_sum(numbers: Iterable[Any], start: Any = 0) -> Any:
    """Add numbers as Python 3.12 does, with the lost parts of float additions added at the end."""
    total, lost = start, 0.0
    for number in numbers:
        new = total + number
        if isinstance(new, float):
            lost += (total - new) + number if abs(total) >= abs(number) else (number - new) + total
        total = new
    return total + lost if isinstance(total, float) else total


@pytest.mark.parametrize("add", [_plain_sum, _compensated_sum])
@pytest.mark.parametrize("key", sorted(CHOSEN))
def test_a_changed_computer_strategy_requires_a_new_version(
    monkeypatch: pytest.MonkeyPatch, key: str, add: Callable[..., Any]
) -> None:
    """A changed choice of computer players requires a new version, or earlier moves would seem false.

    The choices are the same on every Python version.
    """
    match, entries = finished_match(key, RULES[key])
    thinking = games()[key].thinking
    assert thinking is not None
    assert match.seed is not None
    course_of.cache_clear()
    monkeypatch.setattr("builtins.sum", add)
    table, moves = new_table(key, SECRET, RULES[key]), close_position_moves(key)
    for entry in entries[:MOST_COMPARED]:
        if match.players[entry.seat].is_computer_player:
            memory, lot = table.memories[entry.seat], table.lot
            moves += [entry.text, choose_move(key, Strength.TOAD, memory, lot)]
        table = table.after_move(entry)
    digest = blake2b("\n".join(moves).encode(), digest_size=8).hexdigest()
    assert (thinking.version, digest) == CHOSEN[key]


@pytest.mark.parametrize(
    ("spoken", "sentence"),
    [
        ("en", "nobody could change the cards once **Start** was pressed, and no player could choose"),
        ("de", "Niemand konnte die Karten ändern, sobald jemand auf **Starten** gedrückt hatte"),
    ],
)
def test_the_report_states_only_proven_facts(spoken: str, sentence: str) -> None:
    """A host who knows the secret can try other ids of the start, so nothing is said of the host."""
    load_languages()
    toad, lobby = games()["toad"], new_table("toad", SECRET).match

    def started(started_by: int) -> Record:
        match = replace(lobby, started_by=started_by, stage=Stage.STOPPED)
        match = replace(match, seed=deal_seed(SECRET, opened_record(match).terms))
        return record_of(toad, match, [])

    record, other = started(lobby.started_by), started(lobby.started_by ^ 1)
    assert record.draws != other.draws, "the host has tried another one in the same moment"
    assert check_record(toad, record) == check_record(toad, other) == CheckReport()
    with speaking(spoken):
        words = report_words(record, CheckReport())
    assert sentence in words
    assert "host" not in words
    assert "betreibt" not in words


@pytest.mark.parametrize("key", sorted(CHOSEN))
def test_moves_of_another_version_are_not_recomputed(key: str) -> None:
    """A match is right all the same, and the report says so."""
    game = games()[key]
    assert game.thinking is not None
    newer = replace(game, thinking=replace(game.thinking, version=game.thinking.version + 1))
    record = record_of(game, *finished_match(key))
    report = check_record(newer, record)
    assert (report.fault, report.chosen) == (None, 0)
    assert "frogs in this match are from an older version" in report_words(record, report)


def test_verifying_in_slices_gives_the_same_result() -> None:
    """Small parts, pickled in between, give the same result. By default some parts are small."""
    match, entries = finished_match("toad")
    task = VerifyMatch("toad", match.id, ())
    made, slices = task.compute(match, entries), 0
    while isinstance(made, Unfinished):
        is_pickled = slices % few_or_all(20, 1) == 0
        progress = pickle.loads(pickle.dumps(made.progress)) if is_pickled else made.progress
        made = task.resume(progress, lambda: True)
        slices += 1
    assert slices == len(entries)
    assert made == check_record(games()["toad"], record_of(games()["toad"], match, entries))


async def test_a_worker_verifies_a_match_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker process finds the same as this process in a match with computer players."""
    game = games()["frogger"]
    match, entries = finished_match("frogger")

    async def read() -> tuple[Match, list[Entry]]:
        return match, entries

    monkeypatch.setattr(pool, "PATIENCE", 600.0)
    async with Opponents(workers=1) as opponents:
        report = await opponents.ask(VerifyMatch("frogger", match.id, ()), who=1, read=read)
    assert report == check_record(game, record_of(game, match, entries))
    assert report.fault is None
    assert report.chosen
