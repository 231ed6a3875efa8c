"""The token: set, and accepted by Discord."""

from __future__ import annotations

import asyncio

import aiohttp
import discord

from bot.doctor import Finding, problem, well
from bot.requests.connection import proxied, require_readable
from bot.settings import no_token

PATIENCE_SECONDS = 10


def token_finding(token: str | None, *, is_offline: bool, proxy: str | None = None) -> Finding:
    """Check the token; unless offline, by logging in with it, as far as Discord's web side goes.

    Discord is asked through a ``proxy``, where there is one.
    """
    if token is None:
        return problem(no_token())
    if is_offline:
        return well("DISCORD_TOKEN is set; Discord is not asked about it.")
    return asyncio.run(_ask(token, proxy))


async def _ask(token: str, proxy: str | None) -> Finding:
    """Log in, which asks Discord who the token's user and application are, and leave."""
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # Ribit has no voice
    trace = aiohttp.TraceConfig()
    require_readable(trace)
    try:
        async with (
            asyncio.timeout(PATIENCE_SECONDS),
            discord.Client(intents=discord.Intents.none(), http_trace=trace, **proxied(proxy)) as bot,
        ):
            await bot.login(token)
            return well(
                f"Discord accepts the token: it is {bot.user}, application {bot.application_id}."
            )
    except discord.LoginFailure:
        return problem(
            "Discord does not accept the token. Copy it anew from the Bot page of your application at "
            "https://discord.com/developers/applications and set DISCORD_TOKEN."
        )
    except TimeoutError:
        return problem(
            f"Discord did not answer within {PATIENCE_SECONDS} s. Check the network, or see "
            "https://discordstatus.com."
        )
    except (aiohttp.ClientError, OSError) as error:
        way = "network" if proxy is None else "network and the proxy"
        return problem(f"Discord cannot be reached: {error}. Check the {way}.")
    except discord.HTTPException as error:
        return problem(f"Discord answers with an error ({error}). See https://discordstatus.com.")
