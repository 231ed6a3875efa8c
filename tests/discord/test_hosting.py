"""Limits on open tables and deals per host, and the way to close one."""

from __future__ import annotations

from pathlib import Path

from bot.matches.match import Stage
from bot.matches.server_settings import ServerSettings, Stoppers
from tests.discord.bot_harness import BotHarness, Person, Seen, bot_harness, ephemeral_reply, response_of

MENU = "c"


async def start_tables(
    place: BotHarness, person: Person, command: str, number: int, **options: int
) -> list[str]:
    """Start a table in each channel in turn and return the IDs of the matches."""
    started = []
    for each in range(number):
        place.channel = place.guild.create_text_channel(f"pool-{each}")
        await person.slash(command, **options)
        started.append(place.table.match_id)
    place.channel = place.guild.create_text_channel("sea")
    return started


async def start_refused_match(place: BotHarness, person: Person, command: str, **options: int) -> Seen:
    """Start the match in vain and return the ephemeral answer."""
    said = await person.slash(command, **options)
    assert said.ephemeral
    assert place.messages == []
    return response_of(said)


async def match_stage(place: BotHarness, match_id: str) -> Stage:
    return (await place.bot.tables.read(match_id)).match.stage


async def test_a_host_cannot_open_a_fourth_table(tmp_path: Path) -> None:
    """The fourth table is refused with links to the three, and opened once one of them is closed."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        ids = await start_tables(place, ann, "toad start", 3)
        said = await start_refused_match(place, ann, "frogger start")
        assert "You can't host more tables" in said.text
        assert said.text.count("**Toad** in <#") == 3
        assert said.text.count("[Jump to it](https://discord.com/channels/") == 3
        sure = response_of(await ann.pick(ids[1], said, MENU))
        assert "for everybody" in sure.text
        assert await match_stage(place, ids[1]) is Stage.LOBBY
        made_up = await ben.send(sure, sure.custom_id("Close the table"))
        assert "out of date" in ephemeral_reply(made_up).text
        closed = response_of(await ann.press("Close the table", sure))
        assert "room for another" in closed.text
        assert await match_stage(place, ids[1]) is Stage.STOPPED
        await ann.slash("frogger start")
        assert f"<@{ann.id}> — host" in place.table.text
        await ben.press("Join")
        place.channel = place.guild.create_text_channel("ocean")
        await ben.slash("toad start")
        assert f"<@{ben.id}> — host" in place.table.text, "to sit at somebody's table is to host none"


async def test_a_player_cannot_have_a_sixth_deal(tmp_path: Path) -> None:
    """The sixth deal is refused before one is looked for, and dealt once one of the five is given up."""
    async with bot_harness(tmp_path) as place:
        ann = place.person("Ann")
        ids = await start_tables(place, ann, "solitaire start", 5, deal=8)
        said = await start_refused_match(place, ann, "solitaire start")
        assert "You can't have more open deals" in said.text
        assert said.text.count("[Jump to it](") == 5
        sure = response_of(await ann.pick(ids[0], said, MENU))
        assert "counts as lost" in sure.text
        await ann.press("Give up", sure)
        assert await match_stage(place, ids[0]) is Stage.FINISHED
        await ann.slash("solitaire daily")
        assert "Deal of the day" in place.table.alt


async def test_no_thread_is_opened_for_a_table_over_the_limit(tmp_path: Path) -> None:
    """No thread is opened for a user who hosts too many tables, until one of them is closed."""
    async with bot_harness(tmp_path) as place:
        ann, ben = place.person("Ann"), place.person("Ben")
        ids = await start_tables(place, ann, "toad start", 3)
        await ben.slash("toad start")
        offer = response_of(await ann.slash("toad start"))
        said = ephemeral_reply(await ann.press("Open it in a thread", offer))
        assert "You can't host more tables" in said.text
        assert place.channel.threads == []
        await ann.press("Close the table", response_of(await ann.pick(ids[2], said, MENU)))
        await ann.press("Open it in a thread", offer)
        assert len(place.channel.threads) == 1


async def test_the_servers_settings_limit_closing_a_table(tmp_path: Path) -> None:
    """The settings of the table's server decide who may close it, while Ribit is in that server."""
    async with bot_harness(tmp_path) as place:
        ann, home = place.person("Ann"), place.guild
        ids = await start_tables(place, ann, "toad start", 3)
        settings = ServerSettings(stoppers=Stoppers.MANAGERS)
        await place.bot.database.servers.change(home.id, lambda _before: settings)
        said = await start_refused_match(place, ann, "toad start")
        assert "only moderators" in ephemeral_reply(await ann.pick(ids[0], said, MENU)).text
        lost = place.bot.get_guild(home.id)
        assert lost is not None
        place.bot._connection._remove_guild(lost)  # as it is for who was taken out
        sure = response_of(await ann.pick(ids[0], said, MENU))
        await ann.press("Close the table", sure)
        assert await match_stage(place, ids[0]) is Stage.STOPPED
        place.bot._connection._add_guild(lost)
