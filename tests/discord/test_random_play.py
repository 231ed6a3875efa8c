"""Random clicks by many people, stale and duplicate ones too, with restarts in between."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from simcord.results import InteractionResult

from bot.matches.match import Stage
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness
from tests.examples import few_or_all, further_example
from tests.wire.simulated_players import FORGED

CLICKS = few_or_all(80, 120)
NAMES = ("Ann", "Ben", "Cleo", "Stranger")


class Crowd:
    """People who press whatever they see, or saw once."""

    def __init__(self, place: BotHarness, random: Random) -> None:
        self.place = place
        self.random = random
        self.people = [place.person(name) for name in NAMES]
        self.seen: set[str] = set()

    async def click(self) -> InteractionResult | None:
        """Press something as a user, sometimes a control that no longer exists."""
        awaited = [
            person for person in self.people if f"<@{person.id}>" in " ".join(self.place.reminders)
        ]
        hurry = awaited and self.random.random() < 0.7
        person = self.random.choice(awaited if hurry else self.people)
        messages = self.visible_messages(person)
        if not messages:
            return None
        seen = self.random.choice(messages)
        now = [custom_id for label in seen.labels for custom_id in [seen.custom_id(label)]]
        self.seen.update(now)
        stale = self.random.random() < 0.25
        pool = [*sorted(self.seen), *FORGED] if stale or not now else now
        return await person.send(seen, self.random.choice(pool))

    def visible_messages(self, person: Person) -> list[Seen]:
        """Return the last messages with buttons that a person sees in the channel and in the DMs."""
        seen = [Seen(message) for message in self.place.channel.history(viewer=person.actor)]
        if self.random.random() < 0.2:
            seen = [Seen(message) for message in person.dms] or seen
        return sorted((one for one in seen if one.labels), key=lambda one: one.id)[-4:]


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("toad", 0),
        further_example("toad", 1),
        further_example("toad", 2),
        ("frogger", 3),
        further_example("frogger", 4),
    ],
)
async def test_every_random_click_is_answered_without_errors(
    tmp_path: Path, game: str, seed: int
) -> None:
    """Every random click is acknowledged, no fault is logged, and play goes on."""
    random = Random(seed)
    async with bot_harness(tmp_path) as place:
        crowd = Crowd(place, random)
        await place.started(*NAMES[:3], game=game)
        for _turn in range(CLICKS):
            await crowd.click()
            if random.random() < 0.04:
                await place.restart()
            if random.random() < 0.05:
                await place.pause()
        if await place.bot.database.journal.live_at(f"channel {place.channel.id}") is None:
            await crowd.people[0].slash(f"{game} start")
        table = await place.bot.database.journal.live_at(f"channel {place.channel.id}")
        assert table is not None
        assert table.stage in (Stage.LOBBY, Stage.PLAYING)
        await crowd.people[1].slash(f"{game} table")
        assert place.table.labels
        moves = sum(line["event"] == "move" for line in place.logs)
        assert moves > 0, "the crowd should get somewhere"
