"""A made-up language for layout tests: English, with every word half as long again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from bot.engine import translation
from bot.languages import LOCALES, load_languages
from tests.command_words import command_words

CODE = "fi"
"""One that Discord has, and that has a singular and a plural."""

MOST_IN_A_MENU = 100
"""Maximum length of a command's description, which translators must respect."""

_NO_WORDS_OR_WORD = re.compile(r"({\w*}|<[^>]*>|`[^`]*`|\]\([^)]*\))|([^\W\d_]+)")


def lengthen(sentence: str) -> str:
    """Return a translated sentence with the same placeholders, mentions, commands and links."""

    def replace(found: re.Match[str]) -> str:
        return found[1] or found[2] + found[2][: (len(found[2]) + 1) // 2].lower()

    return _NO_WORDS_OR_WORD.sub(replace, sentence)


@contextmanager
def install_language(folder: Path) -> Iterator[None]:
    """Write its catalogue into a folder of languages as a translator would, and have it known inside."""
    menus = command_words()
    catalogue = read_po(BytesIO((LOCALES / "ribit.pot").read_bytes()), locale=CODE)
    for message in catalogue:
        if message.id:
            said = message.id if isinstance(message.id, str) else tuple(message.id)
            message.string = lengthen(said) if isinstance(said, str) else tuple(map(lengthen, said))
            if (message.context, said) in menus:
                message.string = lengthen(str(said))[:MOST_IN_A_MENU]
    (folder / CODE).mkdir(parents=True)
    with (folder / CODE / "ribit.mo").open("wb") as compiled:
        write_mo(compiled, catalogue)
    try:
        assert load_languages(folder) == [CODE]
        yield
    finally:
        translation._catalogues.pop(CODE, None)  # other tests have the languages that there are
