"""The current language."""

from __future__ import annotations

import asyncio
from gettext import GNUTranslations
from io import BytesIO
from struct import pack

import pytest

from bot.engine import translation
from bot.engine.translation import _, ngettext, register_catalogue, speaking

GERMAN = {
    "": "Content-Type: text/plain; charset=UTF-8\nPlural-Forms: nplurals=2; plural=(n != 1);\n",
    "toad": "Kröte",
    "{n} toad\0{n} toads": "{n} Kröte\0{n} Kröten",
}
PORTUGUESE = {"": "Content-Type: text/plain; charset=UTF-8\n", "toad": "sapo"}


def _compile_catalogue(messages: dict[str, str]) -> GNUTranslations:
    """Return a real catalogue, in the binary form that Babel compiles."""
    keys = sorted(messages)
    texts = [*(key.encode() for key in keys), *(messages[key].encode() for key in keys)]
    start, table, data = 28 + 16 * len(keys), b"", b""
    for text in texts:
        table += pack("<II", len(text), start + len(data))
        data += text + b"\0"
    header = pack("<7I", 0x950412DE, 0, len(keys), 28, 28 + 8 * len(keys), 0, 0)
    return GNUTranslations(BytesIO(header + table + data))


@pytest.fixture(autouse=True)
def _two_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "_catalogues", {})
    register_catalogue("de", _compile_catalogue(GERMAN))
    register_catalogue("pt-BR", _compile_catalogue(PORTUGUESE))


@pytest.mark.parametrize(
    ("locale", "spoken"),
    [
        ("de", "Kröte"),
        ("de-AT", "Kröte"),
        ("pt-BR", "sapo"),
        ("pt", "toad"),
        ("fr", "toad"),
        ("en-GB", "toad"),
        ("", "toad"),
        (None, "toad"),
    ],
)
def test_a_locale_falls_back_to_its_language_then_english(locale: str | None, spoken: str) -> None:
    """A text is in the exact locale if it has a catalogue, else in its language, else in English."""
    with speaking(locale):
        assert _("toad") == spoken


def test_counts_use_the_plural_form_of_their_language() -> None:
    """A count takes the plural form of its language, and an untranslated text stays English."""
    with speaking("de"):
        assert [ngettext("{n} toad", "{n} toads", n) for n in (0, 1, 2)] == [
            *("{n} Kröten", "{n} Kröte", "{n} Kröten"),
        ]
        assert _("frog") == "frog"
    assert ngettext("{n} toad", "{n} toads", 1) == "{n} toad"
    assert ngettext("{n} toad", "{n} toads", 2) == "{n} toads"


def test_nested_blocks_restore_the_outer_language() -> None:
    """A nested block uses its player's language, and the outer language returns after it."""
    with speaking("de"):
        with speaking(None):
            assert _("toad") == "toad"
        with pytest.raises(ZeroDivisionError), speaking("pt-BR"):
            raise ZeroDivisionError
        assert _("toad") == "Kröte"
    assert _("toad") == "toad"


def test_concurrent_tasks_keep_their_own_language() -> None:
    """Two clicks handled at the same time are answered in their own languages."""

    async def said(locale: str, others: asyncio.Barrier) -> str:
        with speaking(locale):
            await others.wait()
            return _("toad")

    async def both() -> list[str]:
        barrier = asyncio.Barrier(2)
        return list(await asyncio.gather(said("de", barrier), said("pt-BR", barrier)))

    assert asyncio.run(both()) == ["Kröte", "sapo"]
