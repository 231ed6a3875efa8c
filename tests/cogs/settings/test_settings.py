"""Tests of ``/settings``: permissions, effects and refusals."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import discord
import pytest

from bot.matches.preferences import NotifyMode, OwnSettings
from bot.matches.server_settings import ServerSettings, Stoppers
from bot.messages.player_names import drawn_names
from bot.rendering import checksum
from cogs.settings.panels import GROUPS
from tests.cogs.settings.panels import (
    DAYS,
    NIGHT,
    OWN,
    TOLD,
    VIA,
    change_server_setting,
    change_server_settings,
    form_menus,
    open_form,
    open_server_settings,
    open_settings,
    picked_channel_ids,
    picked_labels,
    submit_form,
)
from tests.discord.admins import (
    add_admin,
    add_moderator,
    allow_only_channels,
    change_settings,
    create_thread,
)
from tests.discord.bot_harness import GALLERY, BotHarness, bot_harness, ephemeral_reply, response_of
from tests.discord.stored_results import store_many_matches
from tests.messages.names import HOSTILE, live_markup
from tests.test_languages import set_language as set_to_language

HOUR = 60 * 60


async def stored_settings(place: BotHarness) -> ServerSettings:
    return await place.bot.database.servers.get(place.guild.id)


# ---- the panel -----------------------------------------------------------------------------------


OF_FEATURES = {"New tables", "Streak reminder", "Challenge pings", "Daily post", "Champion's role"}
"""The buttons of other features in the settings."""


async def test_settings_show_the_users_own_first(tmp_path: Path) -> None:
    """An admin sees their own settings first, on one screen, and the server's behind a button."""
    async with bot_harness(tmp_path) as place:
        seen = await open_settings(add_admin(place))
        for words in ("Your settings", "When it's your turn", "Quiet hours", "Pictures or words"):
            assert words in seen.text
        own = [label for label in seen.labels if label not in OF_FEATURES]
        assert own == ["Stop all notifications", "Time zone", "This server"]
        for custom_id, words in (
            (TOLD, "only when I'm not playing"),
            (VIA, "ping me at the table"),
            (NIGHT, "no quiet hours"),
            ("s:words", "same as the server's tables"),
            (OWN, "same as the server's tables"),
        ):
            assert picked_labels(seen, custom_id) == [words]
        assert "This server" not in (await open_settings(place.person("Ann"))).labels


async def test_the_server_settings_have_four_forms(tmp_path: Path) -> None:
    """The panel shows the current values of all forms, and each form has them selected."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        seen = await open_server_settings(ada)
        assert "Ribit in The Frog Pond" in seen.text
        own = [label for label in seen.labels if label not in OF_FEATURES]
        assert own == ["Where", "Who", "Clock", "Language and look", "My settings"]
        for words in (
            "Channels for games and their threads: every channel",
            "Time per turn at new tables: 1 day per turn",
            "Tables a player can host at once: 3 tables",
            "Who can close a table: the host and moderators",
            "Reminders: ping the player",
            "Language at tables: the server's language: English",
            "Who can't join tables: nobody",
        ):
            assert words in seen.text
        names = set[str]()
        for label in seen.labels[:4]:
            opened = await open_form(ada, seen, label)
            assert opened.modal is not None
            assert opened.modal["title"] == label
            names |= form_menus(opened).keys()
            for key, menu in form_menus(opened).items():
                options = [
                    option["label"] for option in menu.get("options", ()) if option.get("default")
                ]
                assert all(f": {option}" in seen.text for option in options), key
        assert names == {key for group in GROUPS.values() for key in group.keys}
        for name in HOSTILE:
            place.guild._guild.name = name
            assert live_markup((await open_server_settings(ada)).text) == live_markup(""), (
                f"{name} links and formats nothing"
            )


async def test_german_form_labels_fit_discords_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels fit in Discord's 45 letters, which the harness checks for each form."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        set_to_language(place, monkeypatch, Ada="de")
        own = await open_settings(ada)
        assert {"Alle Benachrichtigungen aus", "Zeitzone", "Dieser Server"} <= {*own.labels}
        seen = response_of(await ada.press("Dieser Server", own))
        names = ["Wo", "Wer", "Uhr", "Sprache und Aussehen", "Meine Einstellungen"]
        assert seen.labels[:5] == names
        for label in seen.labels[:4]:
            opened = await open_form(ada, seen, label)
            assert opened.modal is not None
            assert all(len(field["label"]) <= 45 for field in opened.modal["components"])
            assert all(
                len(field.get("description") or "") <= 100 for field in opened.modal["components"]
            )


async def test_a_pick_changes_one_setting_and_updates_the_message(tmp_path: Path) -> None:
    """A pick changes its own setting at once and no other, and the same message shows the truth."""
    async with bot_harness(tmp_path) as place:
        ada, settings = add_admin(place), ServerSettings()
        seen = await open_server_settings(ada)
        picks: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
            ("turn", "0", "no time limit", {"turn_seconds": 0}),
            ("turn", "259200", "3 days per turn", {"turn_seconds": 259_200}),
            ("tables", "1", "1 table", {"tables_each": 1}),
            ("tables", "10", "10 tables", {"tables_each": 10}),
            ("stop", "seated", "everybody at the table", {"stoppers": Stoppers.SEATED}),
            ("stop", "managers", "only moderators", {"stoppers": Stoppers.MANAGERS}),
            ("mentions", "off", "no ping", {"mentions": False}),
            ("colours", "four", "a colour for each suit", {"four_colours": True}),
            ("text", "on", "in the whole server", {"text_tables": True}),
            ("watching", "everywhere", "in other servers too", {"watched_elsewhere": True}),
            ("language", "de", "Deutsch", {"language": "de"}),
        )
        for key, value, words, change in picks:
            settings = replace(settings, **change)
            after = response_of(await change_server_settings(ada, seen, **{key: value}))
            assert after.id == seen.id
            assert words in after.text
            assert await stored_settings(place) == settings


async def test_forms_change_their_own_settings_only(tmp_path: Path) -> None:
    """A form changes several settings at once, and no others, even if the form is out of date."""
    async with bot_harness(tmp_path) as place:
        ada, eve = add_admin(place), add_admin(place, "Eve")
        # two admins at once
        of_ada = await open_form(ada, await open_server_settings(ada), "Clock")
        of_eve = await open_form(eve, await open_server_settings(eve), "Clock")
        await submit_form(ada, of_ada, turn="60")
        after = response_of(await submit_form(eve, of_eve, mentions="off"))
        assert "1 minute per turn" in after.text
        assert await stored_settings(place) == ServerSettings(60, mentions=False), "each changes its own"
        # another server
        assert await place.bot.database.servers.get(place.guild.id + 1) == ServerSettings()
        # several settings in one form
        seen = response_of(
            await change_server_settings(ada, await open_server_settings(ada), turn="300", mentions="on")
        )
        assert await stored_settings(place) == ServerSettings(300), "one form changes both"
        # a restart while a form is open
        opened = await open_form(ada, seen, "Clock")
        await place.restart()
        after = response_of(await submit_form(ada, opened, mentions="off"))
        assert after.id == seen.id, "the panel works after a restart"
        assert "5 minutes per turn" in after.text
        assert await stored_settings(place) == ServerSettings(turn_seconds=300, mentions=False)
        # a form of a former admin is checked like the command
        opened = await open_form(ada, after, "Clock")
        place.env.backend.get_guild(place.guild.id).members[ada.id].role_ids.clear()
        assert "Manage Server" in ephemeral_reply(await submit_form(ada, opened, mentions="on")).text
        assert await stored_settings(place) == ServerSettings(turn_seconds=300, mentions=False)


async def test_allowed_channels_can_be_picked_and_cleared(tmp_path: Path) -> None:
    """The picked channels are stored and shown. With none picked, all channels are allowed."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        reeds = place.guild.create_text_channel("reeds")
        seen = await open_server_settings(ada)
        after = response_of(await change_server_settings(ada, seen, channels=[reeds, place.channel]))
        assert f"<#{reeds.id}>" in after.text
        opened = await open_form(ada, after, "Where")
        assert picked_channel_ids(opened) == sorted([reeds.id, place.channel.id])
        assert (await stored_settings(place)).channels == {reeds.id, place.channel.id}
        await submit_form(ada, opened, channels=[])
        assert (await stored_settings(place)).channels == frozenset()
        await change_server_settings(ada, after, textin=[reeds])
        assert (await stored_settings(place)).text_channels == {reeds.id}


async def test_games_are_allowed_in_voice_and_stage_chats(tmp_path: Path) -> None:
    """The chat of a voice or stage channel is a channel like any other to play in."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        for create in (place.guild.create_voice_channel, place.guild.create_stage_channel):
            choir = create("choir")
            opened = await open_form(ada, await open_server_settings(ada), "Where")
            assert {2, 13} <= set(form_menus(opened)["channels"]["channel_types"])
            assert f"<#{choir.id}>" in response_of(await submit_form(ada, opened, channels=[choir])).text


async def test_a_deleted_channel_does_not_break_the_panel(tmp_path: Path) -> None:
    """A channel that was picked and then deleted is no longer picked in the form."""
    async with bot_harness(tmp_path) as place:
        reeds = place.guild.create_text_channel("reeds")
        await allow_only_channels(place, reeds)
        channel = place.bot.get_channel(reeds.id)
        assert isinstance(channel, discord.TextChannel)
        place.env.backend.delete_channel(reeds.id)
        await place.env.settle()
        ada = add_admin(place)
        before = await open_server_settings(ada)
        assert f"<#{reeds.id}>" in before.text, "no menu can show it"
        await change_server_settings(ada, before, watching="everywhere")
        assert (await stored_settings(place)).channels == {reeds.id}, "an unchanged field stays"
        await change_server_settings(ada, before, channels=[place.channel])
        assert (await stored_settings(place)).channels == {place.channel.id}


# ---- who may, and what is refused ----------------------------------------------------------------


async def test_a_member_sees_only_personal_settings(tmp_path: Path) -> None:
    """Every user may open the settings and finds only personal ones."""
    async with bot_harness(tmp_path) as place:
        mo = add_moderator(place)
        seen = await open_settings(mo)
        menus = ["s:told", "s:via", "s:night", "s:words", "s:own", "s:totals", "s:days"]
        own = [one for one in seen.custom_ids if one.startswith("s:")]
        assert own == ["s:silent", "s:zone", *menus]
        for made_up in ("s:ours", "sf:clock", "sd:clock"):
            assert "Manage Server" in ephemeral_reply(await mo.send(seen, made_up)).text
        assert await stored_settings(place) == ServerSettings()


async def test_forged_picks_are_refused(tmp_path: Path) -> None:
    """A value that the menus do not offer is refused with a sentence, and changes nothing."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        seen = await open_settings(ada)
        for custom_id, values in (
            (OWN, ["five"]),
            (OWN, []),
            (TOLD, ["sometimes"]),
            (VIA, ["post"]),
            (NIGHT, ["24"]),
            ("s:turn", ["60"]),
            ("s:colour", ["red"]),
            ("s:turn:60", []),
            ("s:", ["60"]),
        ):
            refused = await ada.send(seen, custom_id, component_type=3, values=values)
            assert ephemeral_reply(refused).text.strip(), custom_id
        for label, key, value in (
            ("Clock", "turn", "59"),
            ("Clock", "turn", "-60"),
            ("Clock", "turn", "1e3"),
            ("Who", "stop", "everybody"),
            ("Language and look", "language", "tlh"),
        ):
            opened = await open_form(ada, await open_server_settings(ada), label)
            for part in (opened._interaction.modal or {})["components"]:
                if part["component"]["custom_id"].startswith(f"{key}:"):
                    part["component"]["options"].append({"label": value, "value": value})
            assert (
                "choice is out of date"
                in ephemeral_reply(await submit_form(ada, opened, **{key: value})).text
            )
        for made_up in ("sf:moon", "sd:moon"):
            assert "choice is out of date" in ephemeral_reply(await ada.send(seen, made_up)).text
        assert await stored_settings(place) == ServerSettings()
        assert (await place.bot.database.players.get(ada.id)).own == OwnSettings()


async def test_a_forged_pick_in_a_public_message_is_refused(tmp_path: Path) -> None:
    """A forged pick in a public message is refused, and the table is unchanged."""
    async with bot_harness(tmp_path) as place:
        ada = add_admin(place)
        await place.person("Ann").slash("toad start")
        before = place.table.text
        for made_up in ("s:silent", "sf:clock", "sd:clock"):
            assert "out of date" in ephemeral_reply(await ada.send(place.table, made_up)).text
        assert place.table.text == before
        assert await stored_settings(place) == ServerSettings()


async def test_a_player_can_choose_the_colours_of_their_hand(tmp_path: Path) -> None:
    """The server's colours apply to tables and by default to hands. A player's own apply to the hand."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben")
        picture = import_module("bot.rendering.picture")  # what draws in tests is put there

        async def check(*colours: int) -> None:
            """Hold the table, Ann's hand and Ben's against so many colours."""
            table = await place.stored(place.table.match_id)
            seen = [response_of(await ann.slash("toad table"))]
            seen += [response_of(await one.slash("toad hand")) for one in (ann, ben)]
            seats = (None, *(table.match.seat_of(one.id) for one in (ann, ben)))
            for each, seat, number in zip(seen, seats, colours, strict=True):
                view, names = table.game.view(table.state, seat), drawn_names(table.match.players)
                scene = table.game.scene(view, names)
                expected = checksum(picture.draw(replace(scene, four_colours=number == 4)))
                [url] = [item["media"]["url"] for part in each._parts(GALLERY) for item in part["items"]]
                assert expected in url

        await check(2, 2, 2)
        await ann.pick("four", await open_settings(ann), OWN)
        await check(2, 4, 2)
        await change_server_setting(place, "colours", "four")
        await check(4, 4, 4)
        after = response_of(await ben.pick("two", await open_settings(ben), OWN))
        assert picked_labels(after, OWN) == ["red and black"]
        await place.restart()
        await check(4, 4, 2)
        await ben.pick("server", await open_settings(ben), OWN)
        await check(4, 4, 4)


# ---- what players choose alone -------------------------------------------------------------------


async def test_an_admin_can_switch_to_personal_settings_and_back(tmp_path: Path) -> None:
    """A manager can go from the server's settings to their own, and back."""
    async with bot_harness(tmp_path) as place:
        ada, players, days = add_admin(place), place.bot.database.players, place.bot.database.days
        own = response_of(await ada.press("My settings", await open_server_settings(ada)))
        assert picked_labels(own, DAYS) == ["only those I play here"]
        for custom_id, value, words in (
            ("s:words", "words", "in words, for screen readers"),
            ("s:totals", "off", "only the move"),
            (TOLD, "always", "always"),
            (VIA, "dm", "send me a DM"),
            (NIGHT, "22", "22:00 – 06:00 UTC"),
            (DAYS, "everywhere", "those I play anywhere"),
        ):
            own = response_of(await ada.pick(value, own, custom_id))
            assert picked_labels(own, custom_id) == [words]
        chosen = (await players.get(ada.id)).own
        assert chosen == OwnSettings(
            told=NotifyMode.DM_ALWAYS, night=22, text_table=True, shows_totals=False
        )
        assert await days.is_shown(ada.id, place.guild.id)
        after = response_of(await ada.press("This server", own))
        assert "Ribit in The Frog Pond" in after.text
        assert await stored_settings(place) == ServerSettings()


async def test_one_click_stops_all_notifications(tmp_path: Path) -> None:
    """After *Stop all notifications*, no turn or rematch pings the player until they allow it again."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        own = response_of(await ben.press("Stop all notifications", await open_settings(ben)))
        assert picked_labels(own, TOLD) == ["never"]
        assert VIA not in own.custom_ids
        assert "Stop all notifications" not in own.labels
        await place.restart()
        await place.started("Ann", "Ben", lives=1)
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        await ann.press("Rematch")
        sent = [one.json for one in place.env.http_requests if isinstance(one.json, dict)]
        pinged = [user for body in sent for user in body.get("allowed_mentions", {}).get("users", ())]
        assert str(ben.id) not in map(str, pinged)
        own = response_of(await ben.pick("soon", own, TOLD))
        assert picked_labels(own, VIA) == ["ping me at the table"]


async def test_a_typed_time_zone_is_validated(tmp_path: Path) -> None:
    """An unknown city is refused with a suggestion, and a known one is shown."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        seen = await open_settings(ann)
        opened = await ann.press("Time zone", seen)
        [custom_id] = [menu["custom_id"] for menu in form_menus(opened).values()]
        refused = await ann.actor.submit_modal(opened, {custom_id: "Nwe York"})
        assert "such as Europe/Berlin" in ephemeral_reply(refused).text
        opened = await ann.press("Time zone", seen)
        [custom_id] = [menu["custom_id"] for menu in form_menus(opened).values()]
        await place.restart()
        after = response_of(await ann.actor.submit_modal(opened, {custom_id: "new york"}))
        assert after.id == seen.id
        assert "(America/New_York)" in after.text


async def test_a_time_zone_is_suggested_and_shown_with_local_time(tmp_path: Path) -> None:
    """A time zone is found by its city, suggested while typing, and shown with its local time."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        choices = await ann.actor.autocomplete(place.channel, "settings", "zone", "new y")
        there = datetime.fromtimestamp(place.now, ZoneInfo("America/New_York"))
        assert choices == [{"name": f"America/New_York · {there:%H:%M}", "value": "America/New_York"}]
        assert (
            "such as Europe/Berlin" in ephemeral_reply(await ann.slash("settings", zone="Nwe York")).text
        )
        seen = response_of(await ann.slash("settings", zone="america/new_york"))
        seen = response_of(await ann.pick(str(there.hour), seen, NIGHT))
        night = f"{there.hour:02}:00 – {(there.hour + 8) % 24:02}:00 America/New_York"
        assert picked_labels(seen, NIGHT) == [night]
        assert f"Your clock: {there:%H:%M} (" in seen.text
        assert f"<t:{place.now - place.now % HOUR}:t>" in seen.text


# ---- where games may be played -------------------------------------------------------------------


async def test_a_start_in_a_disallowed_channel_is_refused(tmp_path: Path) -> None:
    """A start in a channel that is not allowed is refused in private, with the allowed ones."""
    async with bot_harness(tmp_path) as place:
        reeds = place.guild.create_text_channel("reeds")
        await allow_only_channels(place, reeds)
        ann = place.person("Ann")
        for command in ("toad start", "frogger start", "solitaire start", "solitaire daily"):
            refused = await ann.slash(command)
            assert refused.ephemeral
            assert f"<#{reeds.id}>" in response_of(refused).text
        for command, nothing in (("leaderboard", "No match"), ("profile", "No finished matches")):
            answered = await ann.slash(command)
            assert answered.ephemeral, "there it is read in private"
            assert nothing in response_of(answered).text
        assert place.messages == []
        place.channel = reeds
        await ann.slash("toad start")
        await ann.slash("solitaire daily")
        assert len(place.messages) == 2


async def test_a_thread_inherits_the_setting_of_its_channel(tmp_path: Path) -> None:
    """Threads of an allowed channel may be used, threads of another may not."""
    async with bot_harness(tmp_path) as place:
        pad, reeds = place.channel, place.guild.create_text_channel("reeds")
        inside, outside = await create_thread(place, pad), await create_thread(place, reeds)
        await allow_only_channels(place, pad)
        place.channel = outside
        refused = response_of(await place.person("Ann").slash("toad start"))
        assert f"<#{pad.id}>" in refused.text
        place.channel = inside
        await place.started("Ann", "Ben")
        assert "'s turn" in place.table.text


async def test_a_live_table_continues_in_a_disallowed_channel(tmp_path: Path) -> None:
    """A live table continues in a channel that is no longer allowed, but has no rematch there."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.started("Ann", "Ben", lives=1)
        reeds = place.guild.create_text_channel("reeds")
        await allow_only_channels(place, reeds)
        await place.reminded_player.press("End turn")
        assert "passed" in place.table.text
        await ann.press("Give up", response_of(await ann.slash("toad leave")))
        refused = ephemeral_reply(await ben.press("Rematch"))
        assert f"<#{reeds.id}>" in refused.text
        assert "Rematch" in place.table.labels


async def test_a_rematch_joins_a_lobby_in_a_newly_disallowed_channel(tmp_path: Path) -> None:
    """Rematch joins a lobby that was opened before its channel was closed to games."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await place.given_up()
        over = place.table
        await ben.press("Rematch", over)
        await allow_only_channels(place, place.guild.create_text_channel("reeds"))
        await ann.press("Rematch", over)
        assert f"2. <@{ann.id}>" in place.table.text


async def test_a_new_deal_is_refused_in_disallowed_channels(tmp_path: Path) -> None:
    """New deals are refused in channels that are not allowed, but not in DMs."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        await ann.slash("solitaire start", deal=7)
        reeds = place.guild.create_text_channel("reeds")
        await allow_only_channels(place, reeds)
        deal = place.table
        await ann.press("Give up", response_of(await ann.press("Give up")))
        for label in ("New deal", "Same deal again (practice)"):
            assert f"<#{reeds.id}>" in ephemeral_reply(await ann.press(label)).text
        assert place.table.match_id == deal.match_id
        await ann.actor.user.slash("solitaire start", deal=7)
        assert ann.dm.alt


# ---- who may end a table -------------------------------------------------------------------------


async def decline_end(place: BotHarness, name: str) -> str:
    """Try to end the table, answer no to the question, and return the answer."""
    person = place.person(name)
    seen = response_of(await person.slash("toad stop"))
    said = seen.text
    if seen.labels:
        await person.press("No, play on", seen)
    else:
        forged = await person.send(seen, f"a:{place.table.match_id}:stop")
        assert ephemeral_reply(forged).text == said
    return said


async def test_the_setting_decides_which_users_can_close_a_table(tmp_path: Path) -> None:
    """The setting decides if the host, all players or only moderators close a table."""
    async with bot_harness(tmp_path) as place:
        await place.started("Ann", "Ben")
        add_moderator(place)
        at_once = "Close this table of Toad for everybody?"
        asks, stranger = "Ask the others to close this match of Toad?", "You're not at this table"
        for value, ann, ben in (
            ("host", asks, "Only the host"),
            ("seated", asks, asks),
            ("managers", "only moderators", "only moderators"),
        ):
            await change_settings(place, stoppers=Stoppers(value))
            for name, words in (("Ann", ann), ("Ben", ben), ("Zoe", stranger), ("Mo", at_once)):
                assert words in await decline_end(place, name), (value, name)
        assert "'s turn" in place.table.text


async def test_confirming_a_close_checks_permission_again(tmp_path: Path) -> None:
    """Permission is checked again when the question is answered."""
    async with bot_harness(tmp_path) as place:
        await change_settings(place, stoppers=Stoppers.SEATED)
        _ann, ben = await place.started("Ann", "Ben")
        question = response_of(await ben.slash("toad stop"))
        await change_settings(place, stoppers=Stoppers.MANAGERS)
        assert "only moderators" in ephemeral_reply(await ben.press("Ask the others", question)).text
        assert "wants to close" not in place.table.text
        await change_settings(place, stoppers=Stoppers.SEATED)
        await ben.press("Ask the others", question)
        assert f"<@{ben.id}> wants to close" in place.table.text


# ---- reminders, turn time, language --------------------------------------------------------------


async def test_a_table_keeps_the_turn_time_it_was_opened_with(tmp_path: Path) -> None:
    """A table has the turn time that was set when it was opened.

    With mentions off, a reminder names the player but does not notify.
    """
    async with bot_harness(tmp_path) as place:
        await change_settings(place, turn_seconds=HOUR)
        ann, ben = await place.seat_players("Ann", "Ben")
        assert "1 hour per turn" in place.table.text
        await change_settings(place, turn_seconds=0)
        assert "1 hour per turn" in place.table.text, "the setting is that of new tables"
        await change_settings(place, mentions=False)
        before = len(place.env.http_requests)
        await ann.press("Start")
        assert len(place.reminders) == 1
        sent = [one.json for one in place.env.http_requests[before:] if isinstance(one.json, dict)]
        allowed = [body["allowed_mentions"] for body in sent if body.get("content")]
        assert [mentions.get("users", []) for mentions in allowed] == [[]]
        assert place.reminded_player in (ann, ben)


async def test_public_messages_use_the_servers_language(tmp_path: Path) -> None:
    """Public messages are in the server's language, and private ones in the player's."""
    async with bot_harness(tmp_path) as place:
        await change_settings(place, language="de")
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("toad start")
        assert "Genau 10 rote" in place.table.text
        await ben.press("Mitspielen")
        await ann.press("Starten")
        assert place.table.labels == ["Meine Hand", "Was ist passiert?", "So geht’s"]
        assert any("du bist dran" in line for line in place.reminders)
        assert "Your hand" in ann.dm.alt
        assert "Your hand" in response_of(await ben.press("Meine Hand")).alt
        assert "Noch keine Partie unter Menschen" in response_of(await ann.slash("leaderboard")).text
        assert "Noch keine beendeten Partien" in response_of(await ann.slash("profile")).text
        await change_settings(place, language=None)
        await place.reminded_player.press_dm("End turn")
        assert "passed" in place.table.text


async def test_a_public_page_keeps_the_servers_language(tmp_path: Path) -> None:
    """A public leaderboard speaks the tables' language on every page, a private copy the player's."""
    async with bot_harness(tmp_path) as place:
        await store_many_matches(place)
        await change_settings(place, language="de")
        zoe = place.person("Zoe")
        board = response_of(await zoe.slash("leaderboard"))
        assert "13 Personen" in board.text
        board = response_of(await zoe.press("Spitze", board))
        assert "13 Personen" in response_of(await zoe.press("▶", board)).text
        assert "13 players" in response_of(await place.person("Ann").press("◀", board)).text


async def test_the_picked_language_overrides_the_servers_own(tmp_path: Path) -> None:
    """The language picked by an admin overrides the server's own."""
    async with bot_harness(tmp_path, "de") as place:
        ada = add_admin(place)
        seen = await open_server_settings(ada)
        assert "the server's language: Deutsch" in seen.text
        await change_server_settings(ada, seen, language="en")
        await place.person("Ann").slash("toad start")
        assert "Exactly 10 red and 10 black spots" in place.table.text


async def test_the_panel_shows_the_fallback_language(tmp_path: Path) -> None:
    """The panel says which language is really spoken."""
    async with bot_harness(tmp_path, "ja") as place:
        assert "the server's language: English" in (await open_server_settings(add_admin(place))).text
