"""Check of a bot token over HTTP, without a gateway connection."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import aiohttp
import discord

from bot.engine.errors import RibitError
from bot.engine.frozen import frozen
from bot.messages.channel_access import PERMITS
from bot.requests.http_transport import proxy_arguments, require_readable
from bot.requests.invitation import INVITED
from bot.settings import LOGIN_REFUSED

PATIENCE_SECONDS = 10
MOST_SERVERS = 200  # the maximum per response of Discord
MOST_NAMED = 5


class TokenCheckError(RibitError):
    """Raised when Discord refuses the token or cannot be reached."""


@frozen
class BotAccount:
    """The bot account of a token, with the problems that were found in its application and servers.

    Attributes:
        starts: The session start limit, or None if Discord did not return it.
        faults: A sentence for each wrong setting of the application.
        lacking: Pairs of a server's name and the names of the permissions that the bot lacks there.
    """

    name: str
    application_id: int
    starts: discord.SessionStartLimits | None
    faults: tuple[str, ...]
    lacking: tuple[tuple[str, str], ...]

    @property
    def acceptance(self) -> str:
        return f"Discord accepts the token: it is {self.name}, application {self.application_id}."

    def problems(self) -> Iterator[str]:
        """Yield a sentence for each wrong setting of the application, and one about permissions."""
        yield from self.faults
        if self.lacking:
            gaps = "; ".join(f"{server}: {names}" for server, names in self.lacking[:MOST_NAMED])
            more = f"; and {len(self.lacking) - MOST_NAMED} more" if self.lacking[MOST_NAMED:] else ""
            yield f"Permissions are missing ({gaps}{more}). Allow them, or invite the bot there again."


async def check_token(token: str, proxy: str | None = None) -> BotAccount:
    """Log in with a bot token, read the bot's application and servers, and log out.

    Args:
        token: The bot token.
        proxy: The address of an HTTP proxy, or None for a direct connection.

    Raises:
        TokenCheckError: Discord refuses the token, is unavailable or cannot be reached.
    """
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Ribit does not use voice
    trace = aiohttp.TraceConfig()
    require_readable(trace)
    try:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            discord.AutoShardedClient(
                intents=discord.Intents.none(), http_trace=trace, **proxy_arguments(proxy)
            ) as bot,
        ):
            await bot.login(token)
            return await _account(bot)
    except discord.LoginFailure:
        raise TokenCheckError(LOGIN_REFUSED) from None
    except TimeoutError:
        raise TokenCheckError(
            f"Discord did not answer within {PATIENCE_SECONDS} s. Check the network, or see "
            "https://discordstatus.com."
        ) from None
    except (aiohttp.ClientError, OSError) as error:
        way = "network" if proxy is None else "network and the proxy"
        raise TokenCheckError(f"Discord cannot be reached: {error}. Check the {way}.") from error
    except discord.HTTPException as error:
        raise TokenCheckError(
            f"Discord answers with an error ({error}). See https://discordstatus.com."
        ) from error


async def _account(bot: discord.AutoShardedClient) -> BotAccount:
    application = bot.application
    assert application is not None
    try:
        starts = await bot.fetch_session_start_limits()
    except discord.GatewayNotFound:  # the token is valid anyway
        starts = None
    # ``fetch_guilds`` drops the permissions.
    servers = await bot.http.get_guilds(MOST_SERVERS)
    lacking = ((str(server["name"]), _missing(server.get("permissions"))) for server in servers)
    return BotAccount(
        str(bot.user),
        application.id,
        starts,
        tuple(_faults(application)),
        tuple((server, names) for server, names in lacking if names),
    )


def _faults(application: discord.AppInfo) -> Iterator[str]:
    if application.bot_require_code_grant:
        yield "Turn off *Requires OAuth2 Code Grant* on the Bot page: it makes the invite link fail."
    if application.interactions_endpoint_url:
        yield "Empty *Interactions Endpoint URL* on the page General Information: it gets all clicks."


def _missing(permissions: str | int | None) -> str:
    """Return the names of the permissions that a server does not grant, separated by commas.

    Args:
        permissions: The granted permissions as a bit set, or None if unknown.
    """
    if permissions is None:
        return ""
    allowed = discord.Permissions(int(permissions))
    if allowed.administrator or allowed >= INVITED:
        return ""
    return ", ".join(permit.name for permit in PERMITS if not getattr(allowed, permit.permission))
