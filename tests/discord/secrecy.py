"""Checks that the bot shows and logs no card to a player who has not seen it.

The seen cards are computed from the stored moves and the true states, and not from the game's views,
because the views are under test.
"""

from __future__ import annotations

import base64
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from simcord.backend import Backend
from simcord.components import walk_components

from bot.engine.cards import PACK, Card, Suit
from bot.engine.decktet import BASIC, PAWNS, DecktetSuit
from bot.engine.scene import Face
from bot.games import games
from bot.games.toad.state import TURN
from bot.matches.match import LEAVES, Entry, Match, Stage, advance, opening
from bot.storage.database import Database
from tests.decktet import decktet_cards_of

AS_PICTURE = "\N{VARIATION SELECTOR-16}"
WORD_JOINER = "\N{WORD JOINER}"
_UNSEEN = re.compile(f"[{AS_PICTURE}{WORD_JOINER}]")
"""Characters after or before a suit. A card named without a suit also counts as named."""

DECKS: tuple[Face, ...] = (*PACK, *BASIC, *PAWNS)
BY_FACE: dict[str, Face] = {
    **{card.index + card.suit.symbol[0]: card for card in PACK},
    **{_UNSEEN.sub("", str(card)): card for card in (*BASIC, *PAWNS)},
}
BY_CODE: dict[str, Face] = {card.code: card for card in DECKS}
_FACE = re.compile("(?:10|Cr|[2-9AJQKP])(?:[♣♦♥♠]|[🌙☀🌊🍃🐍🪢]+)")
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RANKS = {word: str(number) for number, word in enumerate(_NUMBERS, 2)}
_RANK = rf"\b(?:ace|jack|queen|king|crown|pawn|10|[2-9]|{'|'.join(_NUMBERS)})\b"
_NAMES = {"A": "ace", "J": "jack", "Q": "queen", "K": "king", "Cr": "crown", "P": "pawn"}
_SUIT_NAME = re.compile("|".join(suit.name.lower() for suit in (*Suit, *DecktetSuit)))
_SAID = re.compile(
    rf"(?P<ranks>{_RANK}(?:(?:, | and | to ){_RANK})*) (?:of )?"
    rf"(?P<suits>(?:{_SUIT_NAME.pattern})(?:(?:, | and | )(?:{_SUIT_NAME.pattern}))*)"
)
BY_WORDS = {
    (
        _NAMES.get(card.index, card.index),
        frozenset(s.name.lower() for s in ([card.suit] if isinstance(card, Card) else card.suits)),
    ): card
    for card in DECKS
}

_WORD = re.compile(r"\w+")

TELLING = 16
"""Length of a secret's prefix that distinguishes it from all other text in a log."""


def cards_in(*texts: str) -> set[Face]:
    """Return every card that is named in some texts.

    A number with one suit of the Decktet, such as 7🌊, is no card but a space.
    """
    faces = (face for text in texts for face in _FACE.findall(_UNSEEN.sub("", text)))
    return {BY_FACE[face] for face in faces if face in BY_FACE} | set(_in_words(*texts))


def _in_words(*texts: str) -> Iterator[Face]:
    """Yield every card that is named in English words, such as each of ``six and eight of hearts``."""
    for found in (found for text in texts for found in _SAID.finditer(text)):
        suits = frozenset(_SUIT_NAME.findall(found["suits"]))
        for rank in re.findall(_RANK, found["ranks"]):
            card = BY_WORDS.get((_RANKS.get(rank, rank), suits))
            if card is not None:
                yield card


def codes_in(text: str) -> set[str]:
    """Return the codes of the cards that a text names in words."""
    return BY_CODE.keys() & set(_WORD.findall(text))


class Message:
    """The texts of a Discord message by their position."""

    def __init__(self, content: str, components: list[Any]) -> None:
        parts = list(walk_components(components))
        items = [item for part in parts for item in part.get("items") or ()]
        options = [option for part in parts for option in part.get("options") or ()]
        self.text = "\n".join(
            [content, *(str(part.get("content") or "") for part in parts)]
            + [str(item.get("description") or "") for item in items]  # an alt text begins with the story
        )
        self.ids = [str(part["custom_id"]) for part in parts if part.get("custom_id")]
        self.ids += [str(option.get("value")) for option in options]
        self.rest = "\n".join(
            [str(part.get("label") or "") for part in (*parts, *options)]
            + [str(option.get("description") or "") for option in options]
        )

    @property
    def match_ids(self) -> set[str]:
        """The matches that the controls belong to."""
        return {parts[1] for parts in self._id_parts if len(parts) > 1}

    @property
    def is_rules(self) -> bool:
        """Return whether this is a page of rules, whose picture belongs to no match."""
        kinds = {parts[0] for parts in self._id_parts}
        return "r" in kinds and kinds <= {"r", "l", "a"}  # pages, perhaps a lesson, and how it was dealt

    @property
    def is_replay(self) -> bool:
        """Return whether this is a page of a replay, which shows hidden cards of a finished match."""
        return any(parts[0] == "v" and len(parts) > 2 for parts in self._id_parts)

    def shows(self, match_id: str) -> int | None:
        """After how many moves the message shows a match, as its controls have it."""
        found = (int(parts[2]) for parts in self._id_parts if parts[:2] == ["m", match_id])
        return next(found, None)

    @property
    def _id_parts(self) -> list[list[str]]:
        return [custom_id.split(":") for custom_id in self.ids]

    def complaints(self, seen: set[Face], recently: set[Face]) -> Iterator[str]:
        """Yield each revealed card that the reader has not seen."""
        if told := cards_in(self.rest) - seen:
            yield f"picture or controls tell of {_codes(told)}"
        if told := cards_in(self.text) - seen - recently:
            yield f"text tells of {_codes(told)}: {self.text}"
        for custom_id in self.ids:
            if codes_in(custom_id) or cards_in(custom_id):
                yield f"a card stands in the custom_id {custom_id}"


class Knowledge(ABC):
    """The cards of one match that each player has seen, move by move."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.n = 0
        self._game = games()[match.game]
        self.state: Any = opening(self._game, match)
        self.gone: set[int] = set()
        self.recently: set[Face] = set()
        self.seen: set[Face] = set()
        self.by_seat: list[set[Face]] = [set() for _player in match.players]
        self._by_moves: list[tuple[set[Face], set[Face]]] = []
        self._look(None)

    def of_all(self, n: int | None) -> tuple[set[Face], set[Face]]:
        """Return the cards seen by all players after n moves (or now), this round and the last."""
        return self._by_moves[-1 if n is None else n]

    def of(self, player_id: int) -> set[Face]:
        """Return the cards that a player or a spectator has seen."""
        seat = self.match.seat_of(player_id)
        return self.seen | self.recently if seat is None else self.by_seat[seat]

    async def follow(self, database: Database) -> None:
        """Take in the moves that were stored since."""
        for entry in await database.journal.entries(self.match.id, self.n):
            if entry.n < self.n:  # two looked at once
                continue
            before, self.state = self.state, advance(self._game, self.state, entry)
            self.n = entry.n + 1
            if self._is_dealt_anew(before):
                self.recently, self.seen = self.seen, set()
            self._look(entry)

    def _look(self, entry: Entry | None) -> None:
        if entry is not None and entry.text == LEAVES:
            self.gone.add(entry.seat)
        self.seen |= self._laid_open(entry)
        self._by_moves.append((set(self.seen), self.recently))
        for seat, hand in enumerate(self.state.hands):
            self.by_seat[seat].update(self.seen, hand)

    def _is_dealt_anew(self, before: Any) -> bool:
        """Return whether the last move shuffled all cards, after which no player knows one."""
        return False

    @abstractmethod
    def _laid_open(self, entry: Entry | None) -> set[Face]:
        """Return the public cards after a move (or the deal), or during it."""


class KnowledgeOfToad(Knowledge):
    """Public: the stock, the top discard, and hands shown by a claim or safe, until the next deal.

    At a round's end all hands are turned up, but for those that were out of play.
    """

    def _is_dealt_anew(self, before: Any) -> bool:
        return bool(self.state.round != before.round)

    def _laid_open(self, entry: Entry | None) -> set[Face]:
        state = self.state
        shown = {card for cards in state.shown for card in cards}
        safe = {card for seat in state.safe for card in state.hands[seat]}
        turned_up = set(range(len(state.hands))) - self.gone if state.phase not in TURN else set[int]()
        hands = {card for seat in turned_up for card in state.hands[seat]}
        return {card for card in state.stock if card} | set(state.discards[-1:]) | shown | safe | hands


class KnowledgeOfFrogger(Knowledge):
    """Public: the corridor, every card that was in the market, and every card played."""

    def _laid_open(self, entry: Entry | None) -> set[Face]:
        seen = {*self.state.corridor, *self.state.market}
        if entry is not None and entry.text.startswith("play "):
            seen.update(decktet_cards_of(entry.text.split()[1]))
        return seen


KNOWLEDGE: dict[str, type[Knowledge]] = {"toad": KnowledgeOfToad, "frogger": KnowledgeOfFrogger}
"""Every game with hidden hands."""


class Secrets:
    """Watches over the secrets of every match in a server, for as long as each is played."""

    def __init__(self) -> None:
        self._matches: dict[str, Knowledge] = {}
        self._seeds: set[bytes] = set()
        self._judged: dict[int, tuple[str, ...]] = {}
        self._read: dict[int, tuple[str, list[Any]]] = {}

    async def complaints(self, database: Database, backend: Backend) -> list[str]:
        """Return the secrets that the current messages reveal.

        An unchanged message was checked when it was sent. A later deal may hide its cards again.
        """
        live, found = await self._follow(database), []
        readers = {channel_id: person for person, channel_id in backend.dm_channels.items()}
        for channel_id, messages in backend.messages.items():
            for stored in messages.values():
                if self._is_read(stored):
                    continue
                message = Message(stored.content, stored.components)
                is_over = message.is_replay and not message.match_ids & live.keys()
                words = (message.text, message.rest, *message.ids)
                if message.is_rules or is_over or self._judged.get(stored.id) == words:
                    continue
                self._judged[stored.id] = words
                reader = readers.get(channel_id)
                if stored.is_ephemeral:
                    reader = int((stored.interaction_metadata or {})["user"]["id"])
                told = _to_all(message, live) if reader is None else self._to_one(message, reader)
                found += [f"message {stored.id}: {complaint}" for complaint in told]
        return found

    def _is_read(self, stored: Any) -> bool:
        """Return whether a message was read before. An edit replaces its components."""
        content, components = self._read.get(stored.id, ("", None))
        if components is stored.components and content == stored.content:
            return True
        self._read[stored.id] = stored.content, stored.components
        return False

    def _to_one(self, message: Message, reader: int) -> Iterator[str]:
        """Yield the secrets that a user's private messages reveal.

        A waiting player's hand has no controls that identify its match, so any of the reader's is
        accepted.
        """
        if message.match_ids:
            about = [self._matches[match_id] for match_id in message.match_ids & self._matches.keys()]
        else:
            about = [one for one in self._matches.values() if one.match.seat_of(reader) is not None]
        if about:
            yield from message.complaints(set().union(*(one.of(reader) for one in about)), set())

    async def _follow(self, database: Database) -> dict[str, Knowledge]:
        live = {}
        for match in await database.journal.live():
            self._seeds.update(filter(None, (match.seed, match.secret)))
            if match.stage is Stage.PLAYING and match.game in KNOWLEDGE:
                if match.id not in self._matches:
                    self._matches[match.id] = KNOWLEDGE[match.game](match)
                live[match.id] = self._matches[match.id]
        for known in self._matches.values():  # one that is over may have ended since
            await known.follow(database)
        return live

    def in_logs(self, lines: Iterable[str]) -> list[str]:
        """Return the log lines that name a card, a seed or a part of the seed's input."""
        return lines_that_tell(lines, self._seeds)


def _to_all(message: Message, live: Mapping[str, Knowledge]) -> Iterator[str]:
    """Yield the public content that not everybody has seen."""
    if match_ids := message.match_ids & live.keys():
        for match_id in match_ids:
            yield from message.complaints(*live[match_id].of_all(message.shows(match_id)))
    elif not message.match_ids:  # words at the table: no card belongs there
        yield from message.complaints(set(), set())


def lines_that_tell(lines: Iterable[str], secrets: Iterable[bytes]) -> list[str]:
    """Return the log lines that name a card or one of these secrets, in whatever form."""
    forms = {form for secret in secrets for form in _forms(secret)}
    return [
        line for line in lines if cards_in(line) or codes_in(line) or any(form in line for form in forms)
    ]


def _forms(secret: bytes) -> Iterator[str]:
    """Yield the ways to write a secret, each by its prefix because a line may be cut."""
    for form in (
        secret.hex(),
        secret.hex().upper(),
        secret.hex(" "),
        repr(secret)[2:-1],
        secret.decode("latin-1"),
        ascii(secret.decode("latin-1"))[1:-1],
        base64.b64encode(secret).decode(),
        base64.urlsafe_b64encode(secret).decode(),
        base64.b32encode(secret).decode(),
        base64.b85encode(secret).decode(),
        quote(secret),
        str(list(secret))[1:],
        str(int.from_bytes(secret)),
        str(int.from_bytes(secret, "little")),
    ):
        yield form[:TELLING]


def _codes(cards: Iterable[Face]) -> str:
    return " ".join(sorted(card.code for card in cards))
