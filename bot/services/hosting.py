"""Too many matches of one host: which they are, and the way out of one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.messages.hosting import Hosted, too_many_content
from bot.requests.answers import OfferError
from bot.services import Services
from bot.sessions.errors import TooManyError
from bot.sessions.table import Table

MOST_TOLD = 10
"""How many are told, the oldest first: who played before there was a limit may have any number."""


@asynccontextmanager
async def telling_which(services: Services) -> AsyncIterator[None]:
    """Have who hosts too many matches told which they are, with a menu to end one of them."""
    try:
        yield
    except TooManyError as error:
        hosted = [
            Hosted(match, game.info.name, await services.display.plans.link(Table(match, game)))
            for match in error.matches[:MOST_TOLD]
            if (game := services.games.get(match.game)) is not None
        ]
        raise OfferError(error.sentence, too_many_content(error.sentence, hosted)) from None
