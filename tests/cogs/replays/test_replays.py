"""Tests of replays of finished matches and of sharing excerpts, by button, command and app command."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import discord
from PIL import Image, ImageSequence
from simcord.results import InteractionResult

from bot.matches.match import Stage
from bot.storage.daily_deals import DayDeal
from tests.discord.admins import add_admin, change_settings
from tests.discord.bot_harness import Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.paused_workers import Working
from tests.discord.recorded_matches import DEAL, OVER, read_recording, store_recording
from tests.discord.secrecy import cards_in
from tests.discord.test_cooldown import create_other_server
from tests.discord.test_text_mode import add_text_mode_user, readable_choices, readable_text
from tests.storage.matches import move_change, new_change, new_lobby

APP = "Watch this match"


async def test_a_finished_match_can_be_watched_with_all_hands(tmp_path: Path) -> None:
    """A finished match can be watched move by move, with all hands visible. A live one cannot."""
    async with bot_harness(tmp_path) as place:
        ann, _ben = await place.started("Ann", "Ben", lives=1)
        cleo, match_id = place.person("Cleo"), place.table.match_id
        live = "still being played"
        assert live in ephemeral_reply(await cleo.send(place.table, f"v:{match_id}")).text
        private = ephemeral_reply(await ann.slash("toad rules"))
        assert live in ephemeral_reply(await ann.send(private, f"v:{match_id}:0:on")).text
        assert live in ephemeral_reply(await ann.slash("replay", match=match_id)).text
        app = await cleo.actor.context_menu(place.channel, APP, place.table.message)
        assert live in ephemeral_reply(app).text
        first = (await place.stored(match_id)).state
        await place.reminded_player.press_dm("End turn")
        await ann.press("Give up", response_of(await ann.slash("toad leave")))

        assert place.table.labels[:3] == ["Rematch", "Share", "Watch"]
        page = ephemeral_reply(await cleo.press("Watch"))
        assert "turn 0 of 2" in page.text
        for hand in first.hands:
            assert set(hand) <= cards_in(page.alt)
        assert page.labels[:3] == ["▶", "⏭", "+10"]
        page = response_of(await cleo.press("▶", page))
        assert "turn 1 of 2" in page.text
        assert "passed." in page.text
        await place.restart()
        page = response_of(await cleo.press("▶", page))
        assert "Ann gives up" in page.text
        assert "wins the match" in page.alt
        app = await cleo.actor.context_menu(place.channel, APP, place.table.message)
        assert "turn 0 of 2" in ephemeral_reply(app).text
        await place.forget(ann)
        place.bot.tables.evict(ann.id)
        page = ephemeral_reply(await cleo.press("Watch"))
        assert "Ann" not in page.text + page.alt, "what is kept in memory forgets too"
        greeting = await cleo.actor.send(place.channel, "hello")
        app = await cleo.actor.context_menu(place.channel, APP, greeting)
        assert "doesn't show a match" in ephemeral_reply(app).text


async def test_a_match_is_found_by_id_or_as_the_latest_in_the_channel(tmp_path: Path) -> None:
    """A match is found by ID, or as the last one in the channel, even if only a part is readable."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        assert "haven't finished a match here yet" in ephemeral_reply(await ann.slash("replay")).text
        assert (
            "don't know the match nope" in ephemeral_reply(await ann.slash("replay", match="nope")).text
        )
        await store_recording(place, "toad", ann, ben, cleo)
        page = ephemeral_reply(await ann.slash("replay"))
        assert "Toad · turn 0 of 60, round 1" in page.text
        assert "Round 2" in response_of(await ann.press("Next round", page)).alt
        [turned] = [one for one in page.custom_ids if one.endswith("moments")]
        page = response_of(await ann.pick("161", page, turned))
        assert "turn 60 of 60" in page.text
        choices = await ann.actor.autocomplete(place.channel, "replay", "match", "tOAd")
        assert choices == [{"name": "Toad · not won · 2027-01-15 · k3v9", "value": "k3v9"}]

        await store_recording(place, "american_toad", ann, match_id="soli")
        assert (
            "Solitaire · move 0 of 150" in ephemeral_reply(await ben.slash("replay", match="soli")).text
        )
        await store_recording(place, "toad", ann, ben, cleo, match_id="old1", rules_version=0)
        assert "rules I no longer know" in ephemeral_reply(await ann.slash("replay", match="old1")).text
        journal = place.bot.database.journal
        match = await store_recording(place, "toad", ann, ben, match_id="half", stage=Stage.PLAYING)
        odd = replace(read_recording("toad").entries[-1], text="fly away")
        assert await journal.commit(move_change(match, odd, **OVER))
        page = ephemeral_reply(await ann.slash("replay", match="half"))
        assert "can no longer read this match's moves after turn 60, round 3" in page.text
        lob = new_lobby("lobb", guild_id=place.guild.id, channel_id=place.channel.id)
        assert await journal.create(lob, "a place") is None
        assert await journal.commit(new_change(lob, **OVER))
        assert "never dealt" in ephemeral_reply(await ann.slash("replay", match="lobb")).text


async def test_a_match_is_private_to_its_server_by_default(tmp_path: Path) -> None:
    """A match is private to its server unless the settings allow more, and one in DMs to its players."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        await store_recording(place, "toad", ann, ben, cleo)
        dora = place.person("Dora")
        closed = discord.PermissionOverwrite(view_channel=False)
        attic = place.guild.create_text_channel("attic", overwrites={dora.actor.user: closed})
        await store_recording(place, "toad", ann, ben, cleo, match_id="attic", channel_id=attic.id)
        assert (
            "turn 0 of 60"
            in ephemeral_reply(await add_admin(place, "Al").slash("replay", match="attic")).text
        )
        assert (
            "channel that you can't see"
            in ephemeral_reply(await dora.slash("replay", match="attic")).text
        )
        await store_recording(place, "american_toad", ann, match_id="soli", guild_id=None)
        assert "private to its players" in ephemeral_reply(await ben.slash("replay", match="soli")).text
        here = place.channel
        mallory, place.channel = create_other_server(place)
        assert (
            "private to its server" in ephemeral_reply(await mallory.slash("replay", match="k3v9")).text
        )
        page = ephemeral_reply(await mallory.slash("toad rules"))
        refused = await mallory.send(page, "v:k3v9:3:on")
        assert "private to its server" in ephemeral_reply(refused).text
        await change_settings(place, watched_elsewhere=True)
        assert "turn 0 of 60" in ephemeral_reply(await mallory.slash("replay", match="k3v9")).text
        assert "turn 0 of 60" in ephemeral_reply(await mallory.slash("replay", match="attic")).text
        cellar = place.guild.create_text_channel("cellar", overwrites={place.guild.default_role: closed})
        await store_recording(place, "toad", ann, ben, cleo, match_id="dark", channel_id=cellar.id)
        said = ephemeral_reply(await mallory.slash("replay", match="dark")).text
        assert "channel that you can't see" in said, "admins have let others watch what all see there"
        place.channel = here
        assert "turn 0 of 60" in ephemeral_reply(await ann.slash("replay", match="dark")).text


async def test_a_worker_reads_a_match_once_for_all_pages(tmp_path: Path) -> None:
    """A worker reads a match once for all pages of all users."""
    workers = Working()
    async with bot_harness(tmp_path, opponents=workers) as place:
        ann, ben = await place.given_up()
        watch = f"v:{place.table.match_id}"
        pages = await workers.held(*(ben.send(place.table, watch) for _click in range(5)))
        await ben.press("⏭", ephemeral_reply(pages[-1]))
        await ann.press("⏭", ephemeral_reply(await ann.send(place.table, watch)))
        assert workers.asked == ["ReadCourse"]


async def test_a_moment_can_be_shared_as_a_gif_once_a_minute(tmp_path: Path) -> None:
    """A part of a match is posted as a plain message with a GIF, once a minute."""
    async with bot_harness(tmp_path) as place:
        ann, ben, cleo = (place.person(name) for name in ("Ann", "Ben", "Cleo"))
        await store_recording(place, "toad", ann, ben, cleo)
        page = ephemeral_reply(await ann.slash("replay"))
        page = response_of(await ann.press("⏭", page))
        [menu] = [one for one in page.custom_ids if one.startswith("x:")]
        page = response_of(await ann.pick("ten", page, menu))
        assert "Shared! Everybody here can see it." in page.text
        post = place.messages[-1]
        assert (
            post.text
            == "🏆 Cleo wins with a Toadus Maximus, with one life left.\n-# 🎬 Toad, turns 50 to 60"
        )
        [attached] = post.message.attachments
        picture = Image.open(io.BytesIO(await attached.read()))
        durations = [one.info["duration"] for one in ImageSequence.Iterator(picture)]
        assert durations.count(3000) == 5
        assert picture.width == 700
        assert attached.size <= 3 * 2**20

        refused = await ann.pick("all", page, menu)
        assert "one animation a minute" in ephemeral_reply(refused).text
        await place.wait(60)
        for first, last, words in (
            ("30", "12", "smaller one first"),
            ("0", "61", "two numbers between 0 and 60"),
            ("0", "nine", "two numbers between 0 and 60"),
        ):
            form = await ann.pick("range", page, menu)
            assert words in ephemeral_reply(await submit_move_range(ann, form, first, last)).text
        form = await ann.pick("range", page, menu)
        await submit_move_range(ann, form, "3", "5")
        assert "turns 3 to 5" in place.messages[-1].text
        assert "turn 0 of 60" in ephemeral_reply(await ann.press("Watch", post)).text
        assert not place.bot.under_way._unanswered, "tables would wait for who was answered with a form"


async def submit_move_range(
    person: Person, form: InteractionResult, first: str, last: str
) -> InteractionResult:
    """Fill in the form that asks from which move to which."""
    assert form.modal is not None
    fields = [label["component"]["custom_id"] for label in form.modal["components"]]
    values = dict(zip(fields, (first, last), strict=True))
    return await person._done(await person.actor.submit_modal(form, values))


async def test_a_moment_cannot_be_shared_without_permission(tmp_path: Path) -> None:
    """Sharing is refused while a win can count, without permissions, and if the file is too large."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        day = int(place.env.now().strftime("%Y%m%d"))
        await place.bot.database.days.choose("american_toad", DayDeal(day, DEAL, 0))
        options = {**read_recording("american_toad").options, "deal": DEAL, "daily": day}
        await store_recording(place, "american_toad", ann, match_id="soli", options=options)
        assert (
            "once you've tried it yourself"
            in ephemeral_reply(await ben.slash("replay", match="soli")).text
        )
        page = ephemeral_reply(await ann.slash("replay", match="soli"))
        assert "can still win" in ephemeral_reply(await ann.pick("ten", page, "x:soli:0")).text
        await store_recording(place, "american_toad", ann, match_id="fun1")
        page = ephemeral_reply(await ben.slash("replay", match="fun1"))
        place.env.inject_error("POST", "/webhooks/*", status=413, code=40005, message="too large")
        refused = await ben.pick("ten", page, "x:fun1:0")
        assert "too large for Discord" in ephemeral_reply(refused).text
        permissions = {"view_channel": True, "send_messages": True, "attach_files": False}
        overwrite = discord.PermissionOverwrite(**permissions)
        bot = place.bot.user
        assert bot is not None
        place.channel = place.guild.create_text_channel("words", overwrites={bot: overwrite})
        page = ephemeral_reply(await ann.slash("replay", match="fun1"))
        assert (
            "permission **Attach Files**"
            in ephemeral_reply(await ann.pick("ten", page, "x:fun1:0")).text
        )
        silent = discord.PermissionOverwrite(send_messages=False)
        place.channel = place.guild.create_text_channel("news", overwrites={ann.actor.user: silent})
        page = ephemeral_reply(await ann.slash("replay", match="fun1"))
        refused = await ann.pick("ten", page, "x:fun1:0")
        assert "may not write in this channel" in ephemeral_reply(refused).text


async def test_text_mode_shows_a_replay_as_text(tmp_path: Path) -> None:
    """In text mode, a replay lists every hand, and its buttons have words instead of icons."""
    async with bot_harness(tmp_path) as place:
        ann, ben = await add_text_mode_user(place), place.person("Ben")
        await store_recording(place, "toad", ann, ben)
        page = response_of(await ann.slash("replay"))
        assert "Ann: 2 of 2 lives, 2 cards, to move, shows six and king of diamonds." in readable_text(
            page
        )
        steps = readable_choices(page)
        assert list(steps)[:3] == ["Step forward", "To the end", "Next round"]
        page = response_of(await ann.send(page, steps["Step forward"][0]))
        assert "turn 1 of 60" in readable_text(page)
        assert {"To the start", "Step back", "Ben has the first toad"} <= set(readable_choices(page))
        assert response_of(await ben.slash("replay")).alt
        await change_settings(place, text_channels=frozenset({place.channel.id}))
        readable_choices(response_of(await ben.slash("replay")))


async def test_a_shorter_gif_is_suggested_only_if_it_is_too_large(tmp_path: Path) -> None:
    """A shorter part is advised only if the picture is too large."""
    async with bot_harness(tmp_path) as place:
        _ann, ben = await place.given_up()
        for status, code, sentence in (
            (413, 40005, "too large for Discord. Try a shorter part"),
            (400, 200000, "This server's filter blocked the animation"),
            (403, 50013, "I'm not allowed to send files here"),
            (400, 50035, "Try again in a minute"),
        ):
            page = ephemeral_reply(await ben.press("Watch"))
            menu = next(each for each in page.custom_ids if each.startswith("x:"))
            place.env.inject_error(
                "POST", "/webhooks/*/*", status=status, code=code, message="no", times=1
            )
            result = await ben.pick("all", page, menu)
            texts = [Seen(each).text for each in (result.response, *result.followups) if each]
            assert any(sentence in text for text in texts), texts
            place.faults()
            await place.wait(61)  # a player shares one moving picture a minute
