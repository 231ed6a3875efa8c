"""The token: set, and accepted by Discord."""

from __future__ import annotations

import asyncio

import aiohttp
import discord

from bot.doctor.finding import Finding, problem, well
from bot.requests.bodies import require_readable
from bot.requests.proxy import proxied
from bot.settings import no_token

PATIENCE_SECONDS = 10

MOST_WITHOUT_POLICY = 74
"""In more servers than that Discord asks of a bot for a privacy policy."""


def token_finding(
    token: str | None, *, is_offline: bool, has_policy: bool = True, proxy: str | None = None
) -> Finding:
    """Check the token; unless offline, by logging in with it, as far as Discord's web side goes.

    Discord is asked through a ``proxy``, where there is one.

    Discord says then, too, whether the bot is in so many servers that the host needs a policy.
    """
    if token is None:
        return problem(no_token())
    if is_offline:
        return well("DISCORD_TOKEN is set; Discord is not asked about it.")
    return asyncio.run(_ask(token, proxy, has_policy=has_policy))


async def _ask(token: str, proxy: str | None, *, has_policy: bool) -> Finding:
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
            servers = 0 if bot.application is None else bot.application.approximate_guild_count
            if servers > MOST_WITHOUT_POLICY and not has_policy:
                return problem(
                    f"Discord accepts the token, and this bot is in about {servers} servers, but "
                    "RIBIT_PRIVACY_URL is not set: from 75 on Discord asks for a privacy policy. "
                    "Fill in docs/privacy.md, publish it, and set its address."
                )
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
