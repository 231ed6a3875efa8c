"""The one rule about who may look into a finished match, for every way of asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import InteractionResult

from bot.matches.match import Match
from bot.sessions.turn_clock import PRACTICE_SECONDS
from tests.discord.admins import change_settings
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of
from tests.discord.recorded_matches import store_recording
from tests.discord.solitaire_player import STUCK_DEAL, give_up_with_review, play_until_stuck
from tests.discord.test_cooldown import create_other_server
from tests.storage.matches import SEED

pytest.importorskip("cogs.replays")

UNSEEN = "channel that you can't see"
UNKNOWN = "I can't check right now"
NOT_HERE = "\nThis match belongs to another server, so I won't show it to everybody here."
HIDDEN = discord.PermissionOverwrite(view_channel=False)


async def store_match(place: BotHarness, match_id: str, *people: Person, **facts: Any) -> Match:
    """Store a finished match, whose secret may be shown."""
    return await store_recording(place, "toad", *people, match_id=match_id, secret=SEED, **facts)


async def refusal_texts(person: Person, match_id: str, page: Seen | None = None) -> set[str]:
    """Return the refusal that a user gets for a match, or nothing if it is shown."""
    found = [await person.slash("replay", match=match_id), await person.slash("verify", match=match_id)]
    page = page or response_of(await person.slash("toad rules"))
    for made_up in (f"v:{match_id}:0:on", f"x:{match_id}:0", f"dr:{match_id}"):
        values = {"values": ["ten"], "component_type": 3} if made_up.startswith("x:") else {}
        found.append(await person.send(page, made_up, **values))
    return {_refusal_text(one) for one in found}


def _refusal_text(result: InteractionResult) -> str:
    messages = [one for one in (*result.followups, result.response) if one is not None]
    if any(one.attachments for one in messages):  # the proof, or a moving picture
        return ""
    text = ephemeral_reply(result).text
    return "" if any(words in text for words in ("turn 0 of", "Secret:", "animation a minute")) else text


async def test_a_user_without_channel_access_cannot_view_a_match(tmp_path: Path) -> None:
    """A user without known access to a match's channel cannot view the match. Its players can."""
    async with bot_harness(tmp_path) as place:
        ann, ben, dora = (place.person(name) for name in ("Ann", "Ben", "Dora"))
        attic = place.guild.create_text_channel("attic", overwrites={dora.actor.user: HIDDEN})
        await store_match(place, "attic", ann, ben, channel_id=attic.id)
        await store_match(place, "abroad", ann, ben, channel_id=99, guest=True)
        await store_match(place, "gone", ann, ben, channel_id=98)
        await store_match(place, "mine", ann, ben, guild_id=None, channel_id=97)
        for match_id, words in (
            ("attic", UNSEEN),
            ("abroad", UNKNOWN),
            ("gone", UNKNOWN),
            ("mine", "private to its players"),
        ):
            answers = await refusal_texts(dora, match_id)
            assert len(answers) == 1, answers
            (answer,) = answers
            assert words in answer, match_id
            assert await refusal_texts(ann, match_id) <= {"", NOT_HERE}, "who sat there may, wherever"
        in_dm = ephemeral_reply(await dora.actor.user.slash("verify", match="attic"))
        assert "private to its server" in in_dm.text

        mallory, place.channel = create_other_server(place)
        (answer,) = await refusal_texts(mallory, "attic")
        assert "private to its server" in answer
        await change_settings(place, watched_elsewhere=True)
        assert await refusal_texts(mallory, "attic") == {""}
        (answer,) = await refusal_texts(mallory, "abroad")
        assert UNKNOWN in answer


async def test_losing_channel_access_disables_earlier_buttons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who lost access to the channel cannot view more by the buttons of an earlier message."""
    for check in ("can_access_channel", "can_access_message"):  # Discord need not look at all
        monkeypatch.setattr(f"simcord.actors.{check}", lambda *_given, **_facts: True)
    async with bot_harness(tmp_path) as place:
        ann, ben, dora = (place.person(name) for name in ("Ann", "Ben", "Dora"))
        await store_match(place, "seen", ann, ben)
        page = response_of(await dora.slash("replay", match="seen"))
        assert await refusal_texts(dora, "seen", page) == {""}
        found = place.bot.get_channel(place.channel.id)
        assert isinstance(found, discord.TextChannel)
        hidden = discord.Permissions(view_channel=True).value
        rule = Overwrite(dora.id, OverwriteType.MEMBER, 0, hidden)
        place.env.backend.set_overwrite(found.id, rule)
        await place.env.settle()
        for made_up in ("v:seen:1:on", "dr:seen"):
            assert UNSEEN in ephemeral_reply(await dora.send(page, made_up)).text

        thread = await found.create_thread(name="den", type=discord.ChannelType.private_thread)
        await thread.add_user(await found.guild.fetch_member(ben.id))
        await store_match(place, "dens", ann, channel_id=thread.id)
        page = response_of(await ben.slash("replay", match="dens"))
        await thread.remove_user(await found.guild.fetch_member(ben.id))
        await place.wait(61)
        assert UNSEEN in ephemeral_reply(await ben.send(page, "v:dens:1:on")).text


async def test_only_known_members_see_a_match_if_discord_fails(tmp_path: Path) -> None:
    """If Discord does not reply, only players and users in the channel may view a match.

    Clicks at a table are still carried out.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben, dora = (place.person(name) for name in ("Ann", "Ben", "Dora"))
        den = place.guild.create_text_channel("den")
        await store_match(place, "dens", ann, ben, channel_id=den.id)
        members = f"/guilds/{place.guild.id}/members/*"
        here = place.channel
        people = await place.started("Ann", "Ben")
        match_id = place.table.match_id
        for n, (status, code) in enumerate(((500, 0), (403, 50001), (429, 0)), 1):
            place.env.backend.faults.clear()
            place.env.inject_error("GET", members, status=status, code=code, message="x", times=None)
            await place.wait(61)
            answers = await refusal_texts(dora, "dens")
            assert all(UNKNOWN in answer for answer in answers), answers
            assert await refusal_texts(ann, "dens") == {""}
            place.channel = den
            assert await refusal_texts(dora, "dens") == {""}
            place.channel = here
            mover = (await place.stored(match_id)).to_move
            assert mover is not None
            await place.pause()
            await people[mover].press_dm("End turn")
            assert (await place.stored(match_id)).n >= n


async def test_a_practice_match_hides_its_source_only_from_its_player(tmp_path: Path) -> None:
    """A match continued from a moment of another is no reason to refuse other users.

    Its player is offered a button to give it up.
    """
    pytest.importorskip("cogs.reviews")
    async with bot_harness(tmp_path) as place:
        people = await place.started("Ann", "Ben", lives=1)
        last, match_id = place.reminded_player, place.table.match_id
        for _turn in range(2):
            last = place.reminded_player
            await last.press("End turn")
        other = next(one for one in people if one is not last)
        over = place.table
        missed = response_of(await last.press("What did I miss?"))
        await last.press("Play from here", missed)
        (practice,) = await place.live()
        for person in (other, place.person("Cleo")):
            assert await refusal_texts(person, match_id) == {""}
            dealt = ephemeral_reply(
                await person.send(response_of(await person.slash("toad rules")), f"a:{match_id}:dealt")
            )
            assert "✅" in dealt.text
        (answer,) = await refusal_texts(last, match_id)
        assert "Finish that first, or give it up" in answer
        assert "Finish that first" in ephemeral_reply(await last.send(over, f"a:{match_id}:missed")).text
        await place.restart()
        refused = ephemeral_reply(await last.slash("verify", match=match_id))
        assert refused.labels == ["Give up"]
        assert "You gave up" in response_of(await last.press("Give up", refused)).text
        assert not (await place.stored(practice.id)).match.stage.is_live
        assert await refusal_texts(last, match_id) == {""}


async def test_a_replayed_deal_stays_secret_from_its_player(tmp_path: Path) -> None:
    """Until a replayed deal ends, only its player is refused the proof and the solution."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        await play_until_stuck(place, ann)
        match_id = place.table.match_id
        lost = await give_up_with_review(place, ann)
        over = place.table
        await ann.press(lost.label("Go back to move"), lost)
        assert "How was match" in ephemeral_reply(await ben.slash("verify", match=match_id)).text
        (answer,) = await refusal_texts(ann, match_id, response_of(await ann.slash("solitaire rules")))
        assert "Finish that first" in answer
        for asked in (await ann.press("Show how", lost), await ann.press("Where was it lost?", over)):
            assert "Finish that first" in ephemeral_reply(asked).text
        await ann.press("Give up", ephemeral_reply(await ann.slash("verify", match=match_id)))
        assert "How was match" in ephemeral_reply(await ann.slash("verify", match=match_id)).text
        assert "from the middle of another one" in ephemeral_reply(await ben.slash("verify")).text


async def test_an_idle_practice_match_is_closed_after_three_days(tmp_path: Path) -> None:
    """A practice match is closed after three days without a move, even if the bot was off meanwhile.

    A deal that counts stays open.
    """
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        await ben.slash("solitaire start")
        counts = place.table.match_id
        await ann.slash("solitaire start", deal=STUCK_DEAL)
        await play_until_stuck(place, ann)
        lost = await give_up_with_review(place, ann)
        await ann.press(lost.label("Go back to move"), lost)
        practice = place.table.match_id
        await place.wait(PRACTICE_SECONDS - 60)
        await ann.press(place.table.labels[0])
        await place.wait(PRACTICE_SECONDS - 60)
        assert {one.id for one in await place.live()} == {counts, practice}
        await place.restart(120)
        assert [one.id for one in await place.live()] == [counts]
        assert "because nobody had moved for three days" in place.table.text
