"""What somebody asks of what is kept of them, or of the server that they manage."""

from __future__ import annotations

from bot.messages.privacy import (
    FILE,
    PrivacyStep,
    Step,
    download_content,
    forget_me_content,
    forget_server_content,
    forgotten_content,
    server_forgotten_content,
)
from bot.services.click import Clicked
from bot.services.forgetting import forget_person, forget_server
from bot.services.start_checks import check_is_admin
from bot.storage.own_data import OwnData
from cogs.clicks.handlers import handles


@handles(PrivacyStep, in_private=True)
async def step(clicked: Clicked, asked: PrivacyStep) -> None:
    """Hand out what is kept, or ask before it is forgotten, and forget it."""
    services, answer = clicked.services, clicked.answer
    match Step(asked.step):
        case Step.DOWNLOAD:
            await _download(clicked)
        case Step.ME:
            await answer.update(forget_me_content())
        case Step.ME_SURELY:
            await answer.acknowledge()  # tables are shown once those who clicked are answered
            await forget_person(services, clicked.player_id)
            await answer.update(forgotten_content())
        case Step.SERVER:
            check_is_admin(clicked.interaction)
            await answer.update(forget_server_content())
        case Step.SERVER_SURELY:
            guild = check_is_admin(clicked.interaction)
            await answer.acknowledge()
            await forget_server(services, guild.id, is_gone=False)
            await answer.update(server_forgotten_content())


async def _download(clicked: Clicked) -> None:
    """Hand out what is kept; who clicks again meanwhile is refused, or each click would send a file."""
    services, click = clicked.services, clicked.interaction
    now = int(click.created_at.timestamp())
    task = OwnData(services.location, clicked.player_id, now, click.id)
    file, is_packed = await services.thinkers.ask(task, who=clicked.player_id)
    await clicked.answer.whisper(download_content(f"{FILE}.gz" if is_packed else FILE, file))
