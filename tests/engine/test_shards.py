"""The shards that a process runs, and the servers of each shard."""

from __future__ import annotations

import pytest

from bot.matches.shards import MOST_SHARDS, Shards, read_shards, shard_of

GUILD = 81384788765712384
"""An example server of Discord's documentation."""


@pytest.mark.parametrize(
    ("text", "shards"),
    [
        ("0-3/16", Shards(0, 3, 16)),
        (" 4/16 ", Shards(4, 4, 16)),
        ("0/1", Shards(0, 0, 1)),
        (f"0-{MOST_SHARDS - 1}/{MOST_SHARDS}", Shards(0, MOST_SHARDS - 1, MOST_SHARDS)),
    ],
)
def test_shard_settings_round_trip(text: str, shards: Shards) -> None:
    """The setting names one shard or a range, and its text form is read as the same shards."""
    assert read_shards(text) == shards == read_shards(str(shards))


@pytest.mark.parametrize(
    "text", ["", "3", "0-3", "/4", "0-3/0", "4/4", "2-1/4", "-1/4", "0,1/4", "0-1/4/8", "٣/4", "0/65536"]
)
def test_an_invalid_shard_setting_raises_with_an_example(text: str) -> None:
    """The error of an invalid setting shows its correct form."""
    with pytest.raises(ValueError, match="such as 0-3/16"):
        read_shards(text)


def test_a_servers_id_determines_its_shard() -> None:
    """The shard is the ID's timestamp (ID >> 22) modulo the number of shards. DMs are on shard 0."""
    assert shard_of(GUILD, 16) == (GUILD >> 22) % 16
    assert {shard_of(shard << 22, 4) for shard in range(100)} == {0, 1, 2, 3}
    assert shard_of(None, 16) == 0
