"""Access to matches that are over: the one rule by which somebody may look into one.

Watching, sharing, looking back, verifying: whatever tells of more than the table itself asks here.
"""

from __future__ import annotations

import discord

from bot.engine.match import DEAL, Match
from bot.engine.words import _
from bot.messages.daily_deal import day_of, has_daily
from bot.services import Services
from bot.sessions.errors import TableError


async def check_may_look(
    services: Services, asked: discord.Interaction, match: Match, *, at_secret: bool = False
) -> None:
    """Raise TableError for who may not look into a match, or not yet; ``at_secret``: into its seed too.

    Who sat there may, and who is known to see its channel; where Discord does not say, nobody else.
    """
    if match.seat_of(asked.user.id) is None:
        await _check_sees(services, asked, match)
    if match.stage.is_live or match.is_lesson:
        return
    if day := await day_of_deal(services, match):
        words = _("This is the deal of the day. You can look into it after your own try.")
        await check_had_try(services, asked, match.game, day, words)
    await _check_not_played_on(services, asked, match, at_secret=at_secret)


async def check_had_try(
    services: Services, asked: discord.Interaction, game: str, day: int, words: str
) -> None:
    """Raise TableError for who has a try of a day's deal in play, or, in these words, before them."""
    tried = await services.tables.tried(game, asked.user.id, day)
    if tried is not None and tried.is_playing:
        raise TableError(_("You are playing this deal as a deal of the day. Finish that try first."))
    if tried is None and day >= day_of(asked.created_at):
        raise TableError(words)


async def day_of_deal(services: Services, match: Match) -> int:
    """Return the day whose deal a match is of, or 0."""
    game = services.games.get(match.game)
    if game is None or not has_daily(game) or not match.options.get(DEAL):
        return 0
    deal = await services.days.with_deal(match.game, match.options[DEAL])
    return 0 if deal is None else deal.day


async def _check_sees(services: Services, asked: discord.Interaction, match: Match) -> None:
    """Raise TableError for who did not sit there, unless known to see the channel."""
    player_id = asked.user.id
    if match.guild_id is None:
        raise TableError(_("This match is private to those who played it."))
    if _is_there(asked, match):
        return
    if not await services.replays.may_be_shown_in(match, asked.guild_id, player_id):
        raise TableError(
            _("This match is private to its server. There, `/settings` can let others watch.")
        )
    is_open = match.guild_id != asked.guild_id  # who asks there may ask, so its admins let others watch
    sees = await services.membership.known(match, player_id, is_open=is_open)
    if sees is None:
        words = _(
            "Discord doesn't tell me just now whether you can see the channel of this match, so I show "
            "nothing of it here. Please try again in a few minutes."
        )
        raise TableError(words)
    if not sees:
        raise TableError(_("This match was played in a channel that you can't see."))


def _is_there(asked: discord.Interaction, match: Match) -> bool:
    """Return whether Discord says, with what was asked, that this person sees the match's channel.

    Of a private thread it does not: what is left of it may be a message that somebody has kept.
    """
    is_closed = isinstance(asked.channel, discord.Thread) and asked.channel.is_private()
    return asked.channel_id == match.channel_id and asked.permissions.view_channel and not is_closed


async def _check_not_played_on(
    services: Services, asked: discord.Interaction, match: Match, *, at_secret: bool
) -> None:
    """Raise TableError while a match goes on that has the same seed: one dealt again from a moment.

    Who plays that looks into neither, and nobody into their seed. It is hosted by one who sat here.
    """
    own, others = asked.user.id, [player.id for player in match.people] if at_secret else []
    for player_id in dict.fromkeys((own, *others)):
        hosted = await services.tables.hosted(player_id)
        if match.seed is None or match.seed not in [each.seed for each in hosted]:
            continue
        if player_id == own:
            raise TableError(_("You are playing on from a moment of this match. Finish that first."))
        words = _(
            "Somebody is playing on from a moment of this match, with the same cards. How they were "
            "dealt I tell when that is over."
        )
        raise TableError(words)
