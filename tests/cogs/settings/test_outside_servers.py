"""Tests of ``/settings`` in DMs and in servers without the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.matches.preferences import OwnSettings
from tests.cogs.settings.panels import NIGHT, OWN, picked_labels
from tests.discord.admins import add_admin
from tests.discord.bot_harness import bot_harness, ephemeral_reply, response_of
from tests.discord.test_guests import KINDS, open_abroad

DAYS = "s:days"


async def test_dms_offer_only_personal_settings(tmp_path: Path) -> None:
    """In DMs, a player sees and changes the time zone and personal options, but no server settings."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        result = await ada.actor.user.slash("settings", zone="Zürich")
        seen = response_of(result)
        assert "Europe/Zurich" in seen.text
        assert "manage the server" not in seen.text
        assert DAYS not in seen.custom_ids
        assert "This server" not in seen.labels
        seen = response_of(await ada.actor.user.select(seen.message, ["four"], custom_id=OWN))
        assert picked_labels(seen, OWN) == ["a colour for each suit"]
        own = (await place.bot.database.players.get(ada.id)).own
        assert own == OwnSettings(four_colours=True, zone="Europe/Zurich")


@pytest.mark.parametrize("kind", KINDS)
async def test_user_installs_offer_only_personal_settings(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a server without the bot, even an admin's forged click cannot change server settings."""
    async with open_abroad(tmp_path, kind, monkeypatch) as there:
        place, ada = there.place, add_admin(there.place)
        seen = ephemeral_reply(await ada.slash("settings"))
        assert "Your settings" in seen.text
        assert not {DAYS, "s:ours"} & {*seen.custom_ids}
        response_of(await ada.pick("22", seen, NIGHT))
        assert (await place.bot.database.players.get(ada.id)).own == OwnSettings(night=22)
        made_up = await ada.send(seen, "s:tables", component_type=3, values=["1"])
        assert "choice is out of date" in ephemeral_reply(made_up).text
        await ada.send(seen, DAYS, component_type=3, values=["everywhere"])
        assert not await place.bot.database.days.is_shown(ada.id, place.guild.id)


async def test_settings_are_registered_wherever_solitaire_is(tmp_path: Path) -> None:
    """``/settings`` is registered wherever solitaire is, in DMs and for users."""
    async with bot_harness(tmp_path) as place:
        tree = place.bot.tree
        found = {each.name: each.to_dict(tree) for each in tree.get_commands()}
        for places in ("contexts", "integration_types"):
            assert {*found["settings"][places]} >= {*found["solitaire"][places]}
