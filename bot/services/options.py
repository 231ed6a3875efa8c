"""The options of a match that is about to begin: named, drawn by lot, found, or of the day's deal."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.engine.commitment import deal_seed, number_by_lot
from bot.engine.game import AnyGame, Info, Option
from bot.engine.match import DEAL, PAR, REPLAY
from bot.engine.shuffle import new_seed
from bot.engine.words import _
from bot.messages.daily_deal import DAILY, has_daily
from bot.services import Services
from bot.services.match_access import check_had_try
from bot.sessions.tasks import FindDeal
from bot.storage import DayDeal


def options_of(info: Info, named: Mapping[str, int | None], seed: bytes | None = None) -> dict[str, int]:
    """Return a value for each option of a game: the one that was named, or else as the game has it.

    With a seed what nobody named may be drawn by lot from that.
    """
    return {option.key: _value(option, named.get(option.key), seed) for option in info.options}


def _value(option: Option, named: int | None, seed: bytes | None) -> int:
    if named is not None:
        return int(named)
    return number_by_lot(option, seed) if option.by_lot and seed is not None else option.default


def is_chosen(info: Info, named: Mapping[str, int | None]) -> bool:
    """Return whether somebody named what else is drawn by lot."""
    return any(named.get(option.key) is not None for option in info.options if option.by_lot)


async def deal_options(
    services: Services,
    asked: discord.Interaction,
    game: AnyGame,
    named: Mapping[str, int | None],
    seed: bytes,
) -> Mapping[str, int]:
    """Return the options of a deal; where nobody named its number, it is drawn, or found, by a seed.

    Raises TableError for a deal that is the asker's to try as a day's, and not to be known before.
    """
    options = options_of(game.info, named, seed)
    if not is_chosen(game.info, named) and game.find_deal is not None:
        options = await _found(services, asked, game, options)
    return options if options.get(DAILY) else await _apart(services, asked, game, options)


async def options_of_day(
    services: Services, asked: discord.Interaction, game: AnyGame, day: int
) -> Mapping[str, int]:
    """Return the options of the day's deal: found once, by what the day before had a commitment to."""
    info = game.info
    deal = await services.days.of(info.key, day)
    if deal is None:
        seed = deal_seed(await services.days.secret_of(info.key, day), "")
        found = await _found(services, asked, game, options_of(info, {}, seed))
        chosen = DayDeal(day, found[DEAL], found[PAR], is_committed=True)
        deal = await services.days.choose(info.key, chosen)
    return options_of(info, {DAILY: day, DEAL: deal.number, PAR: deal.par})


async def secret_of_deal(
    services: Services, game: AnyGame, named: Mapping[str, int | None]
) -> bytes | None:
    """Return the secret that a deal is drawn by: a new one, the day's, or None where somebody chose it.

    A day's deal that an earlier version has chosen comes from nothing that there is a commitment to.
    """
    if day := named.get(DAILY):
        deal = await services.days.of(game.info.key, day)
        is_committed = deal is not None and deal.is_committed
        return await services.days.secret_of(game.info.key, day) if is_committed else None
    return None if is_chosen(game.info, named) else new_seed()


async def _found(
    services: Services, asked: discord.Interaction, game: AnyGame, options: Mapping[str, int]
) -> dict[str, int]:
    """Return the options of a deal that the game finds in place of one that was drawn."""
    find = FindDeal(game.info.key, tuple(options.items()))
    return dict(await services.thinkers.ask(find, who=asked.user.id))


async def _apart(
    services: Services, asked: discord.Interaction, game: AnyGame, options: dict[str, int]
) -> dict[str, int]:
    """Return the options with which a deal is played apart from the day that it is of, if of any.

    Nobody may who has not had the one try of the day, or is having it: it would be a rehearsal.
    """
    deal = await services.days.with_deal(game.info.key, options[DEAL]) if has_daily(game) else None
    if deal is None:
        return options
    words = _("That's the deal of the day. Play it with `/{command} daily`.")
    words = words.format(command=game.info.command)
    await check_had_try(services, asked, game.info.key, deal.day, words)
    return {**options, PAR: deal.par, REPLAY: deal.day}
