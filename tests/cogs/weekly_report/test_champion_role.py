"""The role of the week's first, and what keeps it from being given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.builders import RoleHandle

from bot.engine.name_sanitizing import new_placeholder
from bot.storage.database import Database
from bot.storage.database_address import Location, Server
from tests.cogs.weekly_report.test_report import correct_leaderboard
from tests.discord.admins import add_user
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.fleet import fleet_harness
from tests.discord.regular_posts import (
    DAY,
    HOUR,
    enable_daily_post,
    open_own_settings,
    store_toad_win,
    weekly_reports,
)
from tests.discord.strict_discord import strict_discord
from tests.discord.test_leaving import add_bot, remove_bot, send_guild_create
from tests.storage.database_types import rows_containing


async def set_up_role(place: BotHarness) -> tuple[Person, RoleHandle]:
    """Have an admin switch the posts on and name a role."""
    ada = add_user(place, "Ada", manage_guild=True, manage_roles=True)
    role = place.guild.create_role("Champion")
    await enable_daily_post(place)
    assert "❌" not in (await pick_role(ada, role)).text
    return ada, role


async def open_role_screen(ada: Person) -> Seen:
    return ephemeral_reply(
        await ada.press(
            "Champion's role", response_of(await ada.press("This server", await open_own_settings(ada)))
        )
    )


async def pick_role(ada: Person, *roles: RoleHandle) -> Seen:
    seen = await open_role_screen(ada)
    return response_of(await ada._done(await ada.actor.select(seen.message, roles, custom_id="wr:role")))


def role_holders(place: BotHarness, role: RoleHandle) -> list[str]:
    members = place.env.backend.guilds[place.guild.id].members
    found = {name: members.get(person.id) for name, person in place.people.items()}
    return [name for name, member in found.items() if member is not None and role.id in member.role_ids]


def role_request_count(place: BotHarness) -> int:
    return len([one for one in place.env.http_requests if "/roles/" in one.path])


async def test_each_weeks_winner_gets_the_role(tmp_path: Path) -> None:
    """The role goes from one week's first to the next week's, also over a restart."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        ann, ben = place.person("Ann"), place.person("Ben")
        await store_toad_win(place, 1, ann, ben)
        await place.wait(2 * DAY)
        assert role_holders(place, role) == []
        await place.wait(2 * DAY)
        assert len(weekly_reports(place)) == 1
        assert role_holders(place, role) == ["Ann"]
        assert f"<@&{role.id}>: <@{ann.id}>" in (await open_role_screen(ada)).text
        await place.restart(after=60)
        await place.wait(2 * DAY)
        for number in range(2, 5):
            await store_toad_win(place, number, ben, ann)
        await place.wait(7 * DAY)
        assert len(weekly_reports(place)) == 2
        assert role_holders(place, role) == ["Ben"]
        await pick_role(ada)
        assert role_holders(place, role) == []


@pytest.mark.parametrize("moment", ["before", "during"])
async def test_a_role_unpicked_during_its_award_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """The admin unpicks the role while the bot looks up the champion or gives the role."""
    async with bot_harness(tmp_path) as place:
        _ada, role = await set_up_role(place)
        await store_toad_win(place, 1, place.person("Ann"), place.person("Ben"))
        name = "fetch_member" if moment == "before" else "add_roles"
        kind: Any = discord.Guild if moment == "before" else discord.Member
        request, is_unpicked = getattr(kind, name), False

        async def request_after_unpicking(*asked: Any, **named: Any) -> Any:
            nonlocal is_unpicked
            if not is_unpicked:
                is_unpicked = True
                await place.bot.database.writer.write(
                    lambda sql: sql.drop_champion(guild_id=place.guild.id)
                )
            return await request(*asked, **named)

        monkeypatch.setattr(kind, name, request_after_unpicking)
        await place.wait(4 * DAY)
        assert is_unpicked
        assert role_holders(place, role) == []


async def test_the_answer_says_if_a_role_cannot_be_removed(tmp_path: Path) -> None:
    """The answer to an admin who unpicks the role says that the champion keeps it."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        ann = place.person("Ann")
        await store_toad_win(place, 1, ann, place.person("Ben"))
        await place.wait(4 * DAY)
        path = f"/guilds/{place.guild.id}/members/{ann.id}/roles/{role.id}"
        place.env.inject_error("DELETE", path, status=403, code=50013, message="no", times=None)
        assert f"couldn't take <@&{role.id}> from <@{ann.id}>" in (await pick_role(ada)).text


async def test_the_champion_gets_a_new_role_and_loses_the_old(tmp_path: Path) -> None:
    """The champion gets a role that is named later, and loses the one before."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        await store_toad_win(place, 1, place.person("Ann"), place.person("Ben"))
        await place.wait(4 * DAY)
        other = place.guild.create_role("Frog of the week")
        await pick_role(ada, other)
        await place.wait(60)
        assert (role_holders(place, role), role_holders(place, other)) == ([], ["Ann"])


async def test_a_removed_or_forgotten_champion_loses_the_role(tmp_path: Path) -> None:
    """A player off the boards and one who is forgotten lose it to the next."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        ann, ben, cy = (place.person(name) for name in ("Ann", "Ben", "Cy"))
        for number, winner in enumerate((ann, ann, ann, ben, ben)):
            await store_toad_win(place, number, winner, cy)
        await place.wait(4 * DAY)
        assert role_holders(place, role) == ["Ann"]
        await correct_leaderboard(ada, what="player", player=ann.actor.user)
        assert role_holders(place, role) == ["Ben"]
        question = response_of(await ben.press("Forget me", ephemeral_reply(await ben.slash("privacy"))))
        await ben.send(question, question.custom_id("Forget me"))
        await place.wait(60)
        assert role_holders(place, role) == ["Cy"]


async def test_a_departed_champion_is_replaced_the_next_week(tmp_path: Path) -> None:
    """If the champion has left, no member has the role until the next week's champion gets it."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        ann, ben = place.person("Ann"), place.person("Ben")
        await store_toad_win(place, 1, ann, ben)
        place.guild.remove_member(ann.actor)
        await place.wait(6 * DAY)
        assert "nobody yet" in (await open_role_screen(ada)).text
        asked = [one for one in place.env.http_requests if one.path.endswith(f"/members/{ann.id}")]
        assert len(asked) <= 4, "no storm"
        for number in range(2, 5):
            await store_toad_win(place, number, ben, place.person("Cy"))
        await place.wait(7 * DAY)
        assert role_holders(place, role) == ["Ben"]
        assert ada.dms == []


@pytest.mark.parametrize("what", ["deleted", "above", "permission", "powerful", "refused"])
async def test_a_failed_role_change_notifies_the_admin_once(tmp_path: Path, what: str) -> None:
    """The report is sent, the admin is notified once, `/doctor` says why, and there is no storm."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        backend, guild = place.env.backend, place.guild.id
        me = place.bot.get_guild(guild)
        assert me is not None
        if what == "deleted":
            backend.delete_role(guild, role.id)
        elif what == "above":
            backend.reorder_roles(guild, [{"id": str(role.id), "position": 90}])
        elif what == "permission":
            backend.edit_role(
                guild, me.me.top_role.id, {"permissions": 0x400 | 0x800 | 0x8000 | 0x10000}
            )
        elif what == "powerful":
            backend.edit_role(
                guild, role.id, {"permissions": discord.Permissions(ban_members=True).value}
            )
        else:
            path = f"/guilds/{guild}/members/{place.person('Ann').id}/roles/{role.id}"
            place.env.inject_error("PUT", path, status=403, code=50013, message="no", times=None)
        await place.env.settle()
        await store_toad_win(place, 1, place.person("Ann"), place.person("Ben"))
        await place.wait(4 * DAY)
        before = role_request_count(place)
        await place.wait(8 * DAY)
        assert len(weekly_reports(place)) == 1
        assert role_holders(place, role) == []
        assert [message.content.partition(" in ")[0] for message in ada.dms] == [
            "I can't give out the champion's role"
        ]
        assert f"❌ <@&{role.id}>" in ephemeral_reply(await ada.slash("doctor")).text
        assert role_request_count(place) - before <= 2
        assert what == "refused" or before == 0


async def test_setting_the_role_again_retries(tmp_path: Path) -> None:
    """Naming the role again tries again."""
    async with bot_harness(tmp_path) as place:
        ada, role = await set_up_role(place)
        ann = place.person("Ann")
        backend, guild = place.env.backend, place.guild.id
        backend.reorder_roles(guild, [{"id": str(role.id), "position": 90}])
        await store_toad_win(place, 1, ann, place.person("Ben"))
        await place.wait(4 * DAY)
        assert role_holders(place, role) == []
        backend.reorder_roles(guild, [{"id": str(role.id), "position": 0}])
        await pick_role(ada, role)
        await place.wait(HOUR)
        assert role_holders(place, role) == ["Ann"]
        assert len(ada.dms) == 1


async def test_a_failed_role_request_is_retried_within_minutes(tmp_path: Path) -> None:
    """A request that Discord fails is made again within minutes, and not at the end of the day."""
    async with bot_harness(tmp_path) as place:
        _ada, role = await set_up_role(place)
        ann = place.person("Ann")
        await store_toad_win(place, 1, ann, place.person("Ben"))
        path = f"/guilds/{place.guild.id}/members/{ann.id}/roles/{role.id}"
        place.env.inject_error("PUT", path, status=500, code=0, message="trouble", times=9)
        await place.wait(3 * DAY + 2 * HOUR)
        assert len(weekly_reports(place)) == 1
        assert role_holders(place, role) == ["Ann"]


async def test_no_role_is_given_while_the_bot_is_not_in_the_server(tmp_path: Path) -> None:
    """While the bot is not in the server it gives nothing, and asks for nothing."""
    async with bot_harness(tmp_path) as place:
        _ada, role = await set_up_role(place)
        await store_toad_win(place, 1, place.person("Ann"), place.person("Ben"))
        with strict_discord() as refused:
            await remove_bot(place)
            await place.wait(4 * DAY)
            add_bot(place)
            await send_guild_create(place)
            await place.wait(DAY)
        assert refused == []
        assert role_holders(place, role) == []


async def test_an_admin_cannot_set_a_higher_or_moderator_role(tmp_path: Path) -> None:
    """An admin names no role that they could not give, and none with the power to moderate."""
    async with bot_harness(tmp_path) as place:
        role = place.guild.create_role("Champion")
        ada = add_user(place, "Ada", manage_guild=True)
        assert "You need *Manage Roles*" in ephemeral_reply(await select_role(ada, role)).text
        eve = add_user(place, "Eve", manage_guild=True, manage_roles=True)
        assert "role above this one" in ephemeral_reply(await select_role(eve, role)).text
        powerful = place.guild.create_role("Mods", permissions=discord.Permissions(kick_members=True))
        assert "Pick another role" in ephemeral_reply(await select_role(eve, powerful)).text
        ben = place.person("Ben")
        refused = await ben.send(
            await open_own_settings(ben), "wr:role", component_type=6, values=[str(role.id)]
        )
        assert "Manage Server" in ephemeral_reply(refused).text


async def select_role(ada: Person, role: RoleHandle) -> Any:
    seen = await open_role_screen(ada)
    return await ada.actor.select(seen.message, [role], custom_id="wr:role")


async def test_another_process_removes_a_forgotten_champions_role(server: Server) -> None:
    """The process of the DMs, which does not have the server, takes the role, too."""
    async with fleet_harness(server) as place:
        ann, role = place.person("Ann"), place.guild.create_role("Champion")
        place.env.backend.add_member_role(place.guild.id, ann.id, role.id)
        facts = {"guild_id": place.guild.id, "role_id": role.id, "admin_id": 0, "error": ""}
        await place.bot.database.writer.write(
            lambda sql: sql.add_champion(**facts, player_id=ann.id, is_given=1)
        )
        asked = await ann.actor.user.slash("privacy")
        sure = await ann.actor.user.click(ephemeral_reply(asked).message, label="Forget me")
        await ann.actor.user.click(response_of(sure).message, label="Forget me")
        await place.until(lambda: not role_holders(place, role))
        assert await rows_containing(server, ann.id) == []


async def test_forgetting_a_champion_or_server_deletes_their_data(
    database: Database, location: Location
) -> None:
    """The holder and the admin are forgotten, and all of a server with the server."""
    player_id, admin_id, guild_id = 1234567890123456789, 1234567890123456711, 1134567890123456788
    facts = {"guild_id": guild_id, "role_id": 9, "player_id": player_id, "is_given": 1, "error": ""}
    await database.writer.write(lambda sql: sql.add_champion(**facts, admin_id=admin_id))
    await database.players.forget(player_id, new_placeholder())
    await database.players.forget(admin_id, new_placeholder())
    assert await rows_containing(location, player_id) == []
    assert await rows_containing(location, admin_id) == []
    assert await rows_containing(location, guild_id) != []
    await database.writer.write(lambda sql: sql.forget_server_champions(guild_id=guild_id, is_gone=1))
    assert await rows_containing(location, guild_id) == []
