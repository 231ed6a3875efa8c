"""An answer whose announcement is still on its way to Discord."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import discord
import pytest

from bot.messages.components import notice_content
from bot.requests import answers
from bot.requests.answers import Answer, AnswerOutcome, InFlightAnswers, answering


class SlowDiscord:
    """An interaction, a command's, whose announcement arrives when it is let through."""

    type = discord.InteractionType.application_command
    guild_id = None
    locale = "en-US"

    def __init__(self) -> None:
        self.said: list[str] = []
        self.announcements = 0
        self.came, self.let_through = asyncio.Event(), asyncio.Event()
        self.response = self.followup = self.client = self
        self.over: list[AnswerOutcome] = []
        self.under_way = InFlightAnswers()
        self.id = 1

    @property
    def asked(self) -> discord.Interaction:
        return cast("discord.Interaction", self)

    def dispatch(self, event: str, answer: Answer) -> None:
        assert event == "answered"
        assert answer.acknowledged_after is not None
        self.over.append(answer.outcome)

    def is_done(self) -> bool:
        return "announced" in self.said

    async def defer(self, *, ephemeral: bool) -> None:
        self.announcements += 1
        self.came.set()
        await self.let_through.wait()
        self.said.append("announced")

    async def edit_original_response(self, **_what: Any) -> None:
        self.said.append("completed")

    async def delete_original_response(self) -> None:
        self.said.append("taken back")

    async def send(self, **_what: Any) -> SlowDiscord:
        self.said.append("whispered")
        return self


async def test_a_refusal_deletes_a_public_deferral_in_flight() -> None:
    """A refusal during a public deferral waits for it, and then deletes the deferred response."""
    slow = SlowDiscord()
    answer = Answer(slow.asked, public=True)
    announcing = asyncio.create_task(answer.acknowledge())
    await slow.came.wait()
    whispering = asyncio.create_task(answer.send_ephemeral(notice_content("No.")))
    await asyncio.sleep(0)
    slow.let_through.set()
    await asyncio.gather(announcing, whispering)
    assert slow.said == ["announced", "completed", "whispered", "taken back"]


async def test_a_deferral_in_flight_is_not_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ends while its announcement is on its way waits for that, and announces no more."""
    monkeypatch.setattr(answers, "DEFER_AFTER_SECONDS", 0)
    slow = SlowDiscord()

    async def work() -> None:
        async with answering(slow.asked, public=True):
            await slow.came.wait()

    working = asyncio.create_task(work())
    await slow.came.wait()
    await asyncio.sleep(0)
    slow.let_through.set()
    await working
    assert slow.announcements == 1
    assert slow.over == [AnswerOutcome.DONE]


async def test_a_lost_deferral_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow answer is acknowledged even if the first two tries are lost."""
    slow = SlowDiscord()
    slow.let_through.set()
    defer, lost = slow.defer, [OSError("reset"), OSError("reset")]

    async def lose(*, ephemeral: bool) -> None:
        if lost:
            raise lost.pop()
        await defer(ephemeral=ephemeral)

    monkeypatch.setattr(slow, "defer", lose)
    async with answering(slow.asked) as answer:
        await answer.acknowledge()
        assert slow.said == ["announced"]
    assert slow.over == [AnswerOutcome.DONE]


async def test_a_stop_ends_late_acknowledgements() -> None:
    """A deferral that is still being retried when the bot stops makes no request afterwards."""
    under_way = InFlightAnswers()
    deferral = under_way.background.start(asyncio.Event().wait())
    await under_way.finish(seconds=1)
    assert deferral.cancelled()
