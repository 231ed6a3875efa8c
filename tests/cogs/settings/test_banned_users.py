"""Tests of users that a server's admins ban from its tables."""

from __future__ import annotations

from pathlib import Path

from tests.cogs.settings.panels import (
    change_server_settings,
    open_form,
    open_server_settings,
    submit_form,
)
from tests.discord.admins import add_admin
from tests.discord.bot_harness import Person, bot_harness, ephemeral_reply, response_of


async def test_a_banned_user_cannot_join_or_open_a_table(tmp_path: Path) -> None:
    """A user barred by an admin cannot join or open a table, until the user is picked again."""
    async with bot_harness(tmp_path) as place:
        boss = add_admin(place)
        await place.seat_players("Ann")
        ben = place.person("Ben")
        seen = await open_server_settings(boss)
        assert "Who can't join tables: nobody" in seen.text
        seen = response_of(await change_server_settings(boss, seen, barred=ben.actor))
        assert f"Who can't join tables: <@{ben.id}>" in seen.text
        await place.restart()
        assert "can't join tables in this server" in ephemeral_reply(await ben.press("Join")).text
        elsewhere = place.guild.create_text_channel("reeds")
        refused = await ben.actor.slash(elsewhere, "toad start")
        assert "can't join tables in this server" in response_of(refused).text
        await change_server_settings(boss, seen, barred=ben.actor)
        await ben.press("Join")
        assert f"2. <@{ben.id}>" in place.table.text


async def test_a_banned_player_leaves_lobbies_and_matches(tmp_path: Path) -> None:
    """A banned player leaves lobbies and gives up matches. Solitaire deals continue."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        ann, ben, cy = await place.seat_players("Ann", "Ben", "Cy")
        lobby = place.table.match_id
        await ann.actor.slash(place.guild.create_text_channel("reeds"), "solitaire start")

        async def bar(person: Person) -> None:
            opened = await open_form(ada, await open_server_settings(ada), "Who")
            assert "leaves the tables here right away" in str(opened.modal)
            await submit_form(ada, opened, barred=person.actor)

        await bar(ann)
        stored = await place.stored(lobby)
        assert [each.id for each in stored.match.players] == [ben.id, cy.id]
        assert f"1. <@{ben.id}> — host" in place.table.text
        assert "1 player was removed" in place.table.text
        assert "can't join tables" in ephemeral_reply(await ann.press("Join")).text
        await ben.press("Start")
        mover = place.reminded_player
        await bar(mover)
        assert (await place.stored(lobby)).match.stage.value == "finished"
        other = cy if mover is ben else ben
        assert f"{other.name} wins" in place.table.text
        assert "can't join tables" in ephemeral_reply(await mover.press("Rematch")).text
        assert len(await place.bot.database.journal.hosted_matches(ann.id)) == 1, "the deal goes on"
