"""Opening of boards, the matches of daily duels and challenges.

A board is a short match against one toad, the strongest computer player. A player plays the boards of a
duel or challenge one after the other.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.delivery.display import Display
from bot.engine.frozen import frozen
from bot.engine.game import AnyGame
from bot.matches.duels import board_options, board_players, board_seed, count_of, place_of_board
from bot.matches.match import NOWHERE, Match, Player
from bot.matches.match_type import AGAIN, CHALLENGE, DUEL
from bot.sessions import events
from bot.sessions.errors import TableTakenError
from bot.sessions.match_creation import new_match
from bot.sessions.table_state import Table


@frozen
class Boards:
    """The series of short matches that a player plays in one daily duel or one challenge.

    Each match of the series is called a board.

    Attributes:
        game: The game, in the version with which the day or the challenge began.
        secret: The secret from which the boards' deals are derived.
        day: The day of the boards, such as 20261121. The boards are secret while results can count.
        challenge: The number of the challenge, or 0 for the day's duels.
        scores: Returns the scores of the boards that the player has finished.
        count_as_lost: Records a board as lost. It is called if the board was closed without a result.
    """

    game: AnyGame
    secret: bytes
    day: int
    scores: Callable[[], Awaitable[str]]
    count_as_lost: Callable[[Match], Awaitable[None]]
    challenge: int = 0


async def practise(
    display: Display, game: AnyGame, secret: bytes, day: int, board: int, player: Player
) -> Table:
    """Open a practice match with the cards of a past day's duel match. Its result does not count.

    If the player has an unfinished practice match with the same cards, return that match.
    """
    options = {**board_options(game, board), AGAIN: 1}
    match = new_match(game.info, None, NOWHERE, player, 2, options)
    match = replace(match, players=board_players(game, secret, board, player))
    place = f"practice {game.info.key} day {day} board {board} player {player.id}"
    try:
        return await display.tables.open(match, place, events.Dealt(board_seed(secret, board)))
    except TableTakenError as taken:
        return await display.tables.read(taken.match_id)


async def next_board(display: Display, boards: Boards, player: Player) -> Table | None:
    """Return the player's unfinished match of a duel or challenge.

    If there is none, open the next match. After the last one, or if the results no longer count, return
    None.
    """
    while len(before := await boards.scores()) < count_of(boards.game, boards.challenge):
        table = await _board(display, boards, len(before), player)
        if table.is_playing or len(await boards.scores()) > len(before):
            return table
        await boards.count_as_lost(table.match)
        if await boards.scores() == before:  # a challenge was closed in this moment
            break
    return None


async def _board(display: Display, boards: Boards, board: int, player: Player) -> Table:
    tables, game = display.tables, boards.game
    place = place_of_board(game.info.key, boards.day, board, player.id, boards.challenge)
    if (match_id := await tables.journal.newest_at(place)) is not None:
        return await tables.read(match_id)
    challenge = {CHALLENGE: boards.challenge} if boards.challenge else {}
    options = {**board_options(game, board), DUEL: boards.day, **challenge}
    match = new_match(game.info, None, NOWHERE, player, 2, options)
    match = replace(
        match,
        players=board_players(game, boards.secret, board, player),
        secret=boards.secret,
        thinking_version=game.thinking.version if game.thinking else 0,
    )
    try:
        return await tables.open(match, place, events.Dealt(b""))
    except TableTakenError as taken:  # two presses at the same time
        return await tables.read(taken.match_id)
