"""How a match was dealt: asked at its table, and taken away as a file."""

from __future__ import annotations

from bot.messages.verification import DownloadRecord
from bot.services.click import Clicked
from bot.services.verification import how_dealt, record_file
from bot.sessions.table import Table
from cogs.clicks.handlers import action, handles


@action("dealt", in_private=True)
async def tell_how_dealt(clicked: Clicked, table: Table) -> None:
    """Tell it, with the whole commitment."""
    await clicked.answer.whisper(await how_dealt(clicked.services, clicked.interaction, table.match))


@handles(DownloadRecord, in_private=True)
async def download(clicked: Clicked, asked: DownloadRecord) -> None:
    """Send the file that the match can be verified by."""
    file = await record_file(clicked.services, clicked.interaction, asked.match_id)
    await clicked.answer.send_file(f"ribit-{asked.match_id}.json", file)
