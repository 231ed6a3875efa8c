"""Matchpoints, fields and boards of duels, as pure functions."""

from __future__ import annotations

import pytest

from bot.engine.opponent import Strength
from bot.games import games
from bot.matches.commitment import opened_record
from bot.matches.duels import (
    FIELD,
    BoardScores,
    board_options,
    board_percentages,
    board_players,
    board_seed,
    computers,
    count_of,
    own_seat,
    percentage,
    play_board,
    score_of,
)
from bot.matches.match import Match, Player
from bot.matches.match_type import DUEL, MatchType

SECRET = bytes(range(32))
DUELS = [key for key, game in games().items() if game.duel is not None]


def test_a_boards_score_is_the_percentage_of_worse_tries() -> None:
    """A tie counts half, and the day is the mean of its boards."""
    boards = BoardScores({"20": 1, "11": 1, "00": 2}).points()
    assert board_percentages("20", boards) == [10_000, 3_333]
    assert board_percentages("00", boards) == [1_666, 3_333]
    assert percentage("20", boards) == 6_666


def test_a_single_try_without_a_field_scores_half() -> None:
    """The only try of a board scores 5000 of 10,000 if the board has no computer results."""
    assert percentage("222222", BoardScores({"222222": 1}).points()) == 5_000


@pytest.mark.real("field")
def test_computer_players_fill_the_field_until_people_play() -> None:
    """A person's try replaces one of 14 computer results, so each board has at least 14 tries."""
    strengths = list(computers())
    assert len(strengths) == FIELD
    assert set(strengths) == set(Strength)
    field = tuple("2" for _each in strengths)
    assert BoardScores({"0": 1}, field).tries.total() == FIELD
    assert BoardScores({"0": FIELD + 3}, field).tries.total() == FIELD + 3


def test_equal_percentages_share_a_rank() -> None:
    """Different boards with the same points have the same place, also among the players of a server."""
    whole = BoardScores({"20": 1, "02": 1, "00": 3})
    assert whole.rank("20") == whole.rank("02") == (1, 5)
    assert whole.rank("00") == (3, 5)
    assert whole.rank("02", {"02": 1, "00": 1}) == (1, 2)


@pytest.mark.parametrize("key", DUELS)
def test_the_player_acts_first_on_every_other_board(key: str) -> None:
    """The player moves first at every other board, against the same opponents as other players."""
    game, ann = games()[key], Player(1, "Ann")
    for board in range(count_of(game)):
        players = board_players(game, SECRET, board, ann)
        state = game.deal(2, board_options(game, board), board_seed(SECRET, board))
        assert players.index(ann) == own_seat(game, SECRET, board)
        assert (game.to_move(state) == players.index(ann)) == (board % 2 == 0)
        assert board_players(game, SECRET, board, Player(2, "Ben"))[1 - players.index(ann)] in players


@pytest.mark.parametrize("key", DUELS)
def test_a_board_ends_and_scores_the_same_every_time(key: str) -> None:
    """A tadpole's board ends, with the same score whenever it is computed."""
    game = games()[key]
    scores = [play_board(game, SECRET, 0, Strength.TADPOLE, 3) for _time in range(2)]
    assert scores[0] == scores[1]
    assert score_of((0,), 0) > score_of((), 0) > score_of((1,), 0)


def test_frogger_ends_at_its_turn_limit() -> None:
    """With a limit of one turn a match ends, and its headline says which player is furthest ahead."""
    game, options = games()["frogger"], {"home": 3, "turns": 1}
    state = game.deal(2, options, SECRET)
    while game.to_move(state) is not None:
        moves = {game.write(move): move for move in game.legal_moves(state)}
        state = game.play(state, moves.get("end") or next(iter(moves.values())))
    outcome = game.outcome(state)
    assert outcome is not None
    words = game.words(game.view(state, None), ("Ann", "Ben")).headline
    assert "furthest ahead" in words
    assert game.deal(2, {}, SECRET).frogs[0].home == 0


def test_a_boards_seed_can_be_verified_from_the_days_secret() -> None:
    """The record of a board names its number only, so its seed is the same for all players."""
    game = games()["toad"]
    options = {**board_options(game, 2), DUEL: 20261128}
    match = Match("abcdefgh", "toad", 3, None, 0, 1, (), 2, options, secret=SECRET)
    assert opened_record(match).terms == "board 2"
    assert MatchType.parse(options).is_duel
    assert not MatchType.parse({**options, "again": 1}).is_duel
