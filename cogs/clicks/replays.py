"""Watching a match that is over, in private, and sharing a part of it."""

from __future__ import annotations

from bot.engine.words import _
from bot.messages.film import film_of
from bot.messages.replays import ALL, LEAP, RANGE, ROUND, TEN, Share, ShareRange, TurnTo, Watch
from bot.services.click import Clicked, unknown_button
from bot.services.replays import replay_page, watched
from bot.services.sharing import ask_range, check_may_share, share
from bot.sessions.errors import TableError
from cogs.clicks.handlers import handles


@handles(Watch)
async def watch(clicked: Clicked, asked: Watch) -> None:
    """Show a match from its deal on to who clicked, alone."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    await clicked.answer.whisper(await replay_page(services, interaction, replay, 0))


@handles(TurnTo, in_private=True)
async def turn_to(clicked: Clicked, asked: TurnTo) -> None:
    """Show the match as it was after so many moves."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    await clicked.answer.update(await replay_page(services, interaction, replay, asked.n))


@handles(Share, in_private=True)
async def share_part(clicked: Clicked, asked: Share) -> None:
    """Show a part of the match to all, or ask for its first move and its last."""
    services, interaction = clicked.services, clicked.interaction
    replay = await watched(services, interaction, asked.match_id)
    n = min(asked.n, replay.last)
    if asked.part == RANGE:
        await check_may_share(services, interaction, replay)
        await ask_range(clicked.answer, replay, n)
        return
    begins, ends = replay.round_at(n)
    ends -= ends in replay.course.rounds  # there the next one is dealt
    parts = {ROUND: (begins, ends), TEN: (max(n - LEAP, 0), n), ALL: (0, replay.last)}
    if asked.part not in parts:
        raise unknown_button()
    await share(services, clicked.answer, replay, n, film_of(replay, *parts[asked.part]))


@handles(ShareRange, in_private=True)
async def share_range(clicked: Clicked, asked: ShareRange) -> None:
    """Show all what was played from one move to another."""
    replay = await watched(clicked.services, clicked.interaction, asked.match_id)
    if asked.moves is None:
        raise TableError(_("Type the numbers of two moves, such as 12 and 30."))
    film = film_of(replay, *asked.moves, is_exact=True)
    await share(clicked.services, clicked.answer, replay, min(asked.n, replay.last), film)
