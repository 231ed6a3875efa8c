"""Tests of ``/doctor``, and of tables that are not opened because their messages would fail."""

from __future__ import annotations

import re
from pathlib import Path

import discord

from bot.messages.channel_access import PERMITS
from bot.requests.budget import MOST_REFUSED, Priority
from bot.requests.invitation import invite_link
from tests.discord.admins import allow_only_channels, close_table, create_thread
from tests.discord.bot_harness import BotHarness, bot_harness, response_of
from tests.discord.strict_discord import deny_permissions
from tests.discord.test_cooldown import TOO_MANY
from tests.discord.test_quarantine import quarantine_bot


def open_channel_with_permissions(place: BotHarness, **permissions: bool) -> None:
    """Go to a channel in which the bot has these permissions."""
    assert place.bot.user is not None
    overwrite = discord.PermissionOverwrite(**permissions)
    place.channel = place.guild.create_text_channel("shallows", overwrites={place.bot.user: overwrite})


async def doctor_text(place: BotHarness, name: str = "Ann") -> str:
    result = await place.person(name).slash("doctor")
    assert result.ephemeral
    return response_of(result).text


async def test_the_doctor_reports_that_no_permission_is_missing(tmp_path: Path) -> None:
    """If no permission is missing, every line says so. Permissions that are not needed are not named."""
    async with bot_harness(tmp_path) as place:
        [synced] = [one for one in place.env.backend.commands[None].values() if one["name"] == "doctor"]
        assert synced["integration_types"] == [0], "it is of no use where Ribit is a guest"
        said = await doctor_text(place)
        assert f"Ribit in <#{place.channel.id}>" in said
        for name in (
            "View Channel",
            "Send Messages",
            "Attach Files",
            "Create Public Threads",
            "Send Messages in Threads",
        ):
            assert f"✅ **{name}**\n" in said
        assert "✅ This server's settings allow games" in said
        assert "Your DMs seem to be open" in said
        assert "❌" not in said
        open_channel_with_permissions(
            place, embed_links=False, read_message_history=False, external_emojis=False
        )
        assert "❌" not in await doctor_text(place)
        await place.started("Ann", "Ben")
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text


async def test_the_doctor_names_a_missing_permission_and_its_effect(tmp_path: Path) -> None:
    """A missing permission is named with its effect. A vital one stops the start of a table."""
    async with bot_harness(tmp_path) as place:
        for flag, name, without in (
            ("view_channel", "View Channel", "can't see this channel"),
            ("send_messages", "Send Messages", "when it's their turn"),
            ("attach_files", "Attach Files", "pictures"),
            ("create_public_threads", "Create Public Threads", "another table inside a thread"),
            ("send_messages_in_threads", "Send Messages in Threads", "another table inside a thread"),
        ):
            open_channel_with_permissions(place, **{flag: False})
            said = await doctor_text(place)
            [line] = [line for line in said.splitlines() if line.startswith("❌")]
            assert f"❌ **{name}** is missing" in line
            assert without in line
            assert said.count("✅ **") == 4
            assert "channel settings" in said
            if name not in ("View Channel", "Send Messages"):  # a table can be kept up without
                assert not (await place.person("Ann").slash("toad start")).ephemeral
                continue
            for command in ("toad start", "frogger start", "solitaire start", "solitaire daily"):
                refused = await place.person("Ann").slash(command)
                assert refused.ephemeral
                assert name in response_of(refused).text
                assert "/doctor" in response_of(refused).text
            assert await place.live_match_here() is None
            assert place.messages == []
        open_channel_with_permissions(place, view_channel=False, send_messages=False, attach_files=False)
        assert (await doctor_text(place)).count("❌") == 3, "each missing permission is named"
        refused = await place.person("Ann").slash("toad start")
        assert "**View Channel, Send Messages**" in response_of(refused).text


async def test_a_voice_channels_chat_also_requires_connect(tmp_path: Path) -> None:
    """The chat of a voice channel also requires *Connect*, without which no table is shown."""
    async with bot_harness(tmp_path) as place:
        for create in (place.guild.create_voice_channel, place.guild.create_stage_channel):
            place.channel = create("choir")
            said = await doctor_text(place)
            assert "✅ **Connect**" in said
            assert "❌" not in said
            await place.started("Ann", "Ben")
            mover = place.reminded_player
            await deny_permissions(place, "connect")
            assert (
                "❌ **Connect** is missing: I can't use the chat of this voice channel"
                in await doctor_text(place)
            )
            await mover.press_dm("End turn")
            assert "**Connect**" in mover.dm.text
            await deny_permissions(place)
            await place.env.settle()
            assert "passed" in place.table.text
            await close_table(place)
            await deny_permissions(place, "connect")
            assert "missing **Connect**" in response_of(await mover.slash("toad start")).text


async def test_a_thread_requires_send_messages_in_threads(tmp_path: Path) -> None:
    """In a thread, the doctor and a start check *Send Messages in Threads*, not *Send Messages*."""
    async with bot_harness(tmp_path) as place:
        for lacking, found in (("send_messages", "✅"), ("send_messages_in_threads", "❌")):
            open_channel_with_permissions(place, create_public_threads=True)
            [overwrite] = place.env.backend.get_channel(place.channel.id).overwrites
            place.channel = await create_thread(place, place.channel)
            overwrite.deny = getattr(discord.Permissions, lacking).flag
            said = await doctor_text(place)
            assert f"{found} **Send Messages in Threads**" in said
            assert "**Send Messages**" not in said
            answer = await place.person("Ann").slash("toad start")
            assert answer.ephemeral is (found == "❌")


async def test_the_doctor_explains_how_to_add_ribit_to_a_thread(tmp_path: Path) -> None:
    """In a private thread without Ribit, the doctor names the cause and a start asks for a mention."""
    async with bot_harness(tmp_path) as place:
        channel = place.bot.get_channel(place.channel.id)
        assert isinstance(channel, discord.TextChannel)
        thread = await channel.create_thread(name="den", type=discord.ChannelType.private_thread)
        await place.env.settle()
        ann = place.person("Ann")
        place.env.backend.add_thread_member(thread.id, ann.id)
        [place.channel] = place.channel.threads
        assert "❌" not in await doctor_text(place)
        place.env.backend.remove_thread_member(thread.id, place.bot.user.id)  # type: ignore[union-attr]
        await place.env.settle()
        thread.guild._remove_thread(thread)
        assert "❌ I'm not in this private thread" in await doctor_text(place)
        refused = await ann.slash("toad start")
        assert refused.ephemeral
        assert "Mention me" in response_of(refused).text


async def test_the_doctor_names_the_channels_that_allow_games(tmp_path: Path) -> None:
    """The doctor names the channels in which the server allows games."""
    async with bot_harness(tmp_path) as place:
        reeds = place.guild.create_text_channel("reeds")
        await allow_only_channels(place, reeds)
        said = await doctor_text(place)
        assert f"❌ In this server, you can play in <#{reeds.id}>." in said
        place.channel = reeds
        assert "❌" not in await doctor_text(place)


async def test_the_doctor_explains_closed_dms_in_private(tmp_path: Path) -> None:
    """A player with closed DMs gets a private message with the repair. Other players do not see it."""
    async with bot_harness(tmp_path) as place:
        place.person("Ben").close_dms()
        await place.started("Ann", "Ben")
        assert "❌ Your DMs are closed" in await doctor_text(place, "Ben")
        assert "Your DMs seem to be open" in await doctor_text(place, "Ann")


async def test_the_doctor_reports_that_dms_are_quarantined(tmp_path: Path) -> None:
    """While Discord has quarantined the bot, the doctor reports that new players get no DMs."""
    async with bot_harness(tmp_path) as place:
        quarantine_bot(place)
        await place.started("Ann", "Ben")
        assert "❌ Discord won't let me DM new players" in await doctor_text(place)
        assert place.faults(), "which the log tells, too"


async def test_the_doctor_reports_throttled_requests(tmp_path: Path) -> None:
    """The doctor reports if requests are held back because too many were refused."""
    async with bot_harness(tmp_path) as place:
        assert "refused" not in await doctor_text(place)
        for _refused in range(MOST_REFUSED[Priority.UPKEEP]):
            place.bot.budget.count_response(TOO_MANY)
        assert "I'll still answer clicks, but other messages may not be updated" in await doctor_text(
            place
        )


async def test_a_rematch_checks_for_missing_permissions(tmp_path: Path) -> None:
    """Rematch is a start like any other."""
    async with bot_harness(tmp_path) as place:
        open_channel_with_permissions(place, send_messages=True)
        _ann, ben = await place.given_up()
        [overwrite] = place.env.backend.get_channel(place.channel.id).overwrites
        overwrite.allow, overwrite.deny = 0, discord.Permissions(send_messages=True).value
        refused = await ben.press("Rematch")
        assert "Send Messages" in response_of(refused).text
        assert await place.live_match_here() is None


def test_the_invite_link_requests_the_required_permissions() -> None:
    """The invite link asks for the permissions that the doctor looks for, which the docs name."""
    needed = 0
    for permit in PERMITS:
        needed |= discord.Permissions(**{permit.permission: True}).value
    assert re.findall(r"permissions=(\d+)", invite_link(9)) == [str(needed)]
    page = (Path(__file__).parents[3] / "docs" / "operating.md").read_text("utf-8")
    assert [permit.name for permit in PERMITS if f"*{permit.name}*" not in page] == []
