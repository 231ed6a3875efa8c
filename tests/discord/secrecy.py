"""Checks that no message shows a player an unseen card, and that no log line names a card.

The cards that a player has seen are computed from the stored moves and the true states. The game's views
are not used, because they are under test.
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
"""Invisible characters around a suit's symbol. They are removed before searching for cards."""

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
"""Length of a secret's prefix to search for. It is long enough not to occur in a log by chance."""


def cards_in(*texts: str) -> set[Face]:
    """Return every card that some texts name by symbols or in words.

    A number with one Decktet suit, such as 7🌊, does not name a card but a space on Frogger's board.
    """
    faces = (face for text in texts for face in _FACE.findall(_UNSEEN.sub("", text)))
    return {BY_FACE[face] for face in faces if face in BY_FACE} | set(_cards_in_words(*texts))


def _cards_in_words(*texts: str) -> Iterator[Face]:
    """Yield every card that some texts name in English words.

    For example, ``six and eight of hearts`` names two cards.
    """
    for found in (found for text in texts for found in _SAID.finditer(text)):
        suits = frozenset(_SUIT_NAME.findall(found["suits"]))
        for rank in re.findall(_RANK, found["ranks"]):
            card = BY_WORDS.get((_RANKS.get(rank, rank), suits))
            if card is not None:
                yield card


def codes_in(text: str) -> set[str]:
    """Return the card codes that occur in a text as separate words."""
    return BY_CODE.keys() & set(_WORD.findall(text))


class Message:
    """The texts of a Discord message that is checked for hidden cards.

    Attributes:
        text: The content, text components and alt texts.
        ids: All custom_ids and values of menu options.
        rest: All labels, and the descriptions of menu options.
    """

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
        """The IDs of the matches that the message's controls belong to."""
        return {parts[1] for parts in self._id_parts if len(parts) > 1}

    @property
    def is_rules(self) -> bool:
        """Whether this is a page of a game's rules, whose picture belongs to no match."""
        kinds = {parts[0] for parts in self._id_parts}
        return "r" in kinds and kinds <= {"r", "l", "a"}  # pages, perhaps a lesson, and how it was dealt

    @property
    def is_replay(self) -> bool:
        """Whether this is a page of a replay, which may show all cards of a finished match."""
        return any(parts[0] == "v" and len(parts) > 2 for parts in self._id_parts)

    def shows(self, match_id: str) -> int | None:
        """Return the number of moves after which the message shows a match.

        The number is read from the message's controls. None if they do not have it.
        """
        found = (int(parts[2]) for parts in self._id_parts if parts[:2] == ["m", match_id])
        return next(found, None)

    @property
    def _id_parts(self) -> list[list[str]]:
        return [custom_id.split(":") for custom_id in self.ids]

    def complaints(self, seen: set[Face], recently: set[Face]) -> Iterator[str]:
        """Yield a line for each part of the message that reveals a card to a reader who has not seen it.

        Args:
            seen: The cards that the reader has seen.
            recently: Cards that the reader saw in the previous round. The text may still name them.
        """
        if told := cards_in(self.rest) - seen:
            yield f"picture or controls tell of {_joined_codes(told)}"
        if told := cards_in(self.text) - seen - recently:
            yield f"text tells of {_joined_codes(told)}: {self.text}"
        for custom_id in self.ids:
            if codes_in(custom_id) or cards_in(custom_id):
                yield f"a card stands in the custom_id {custom_id}"


class Knowledge(ABC):
    """The cards that each player has seen in a match so far. A subclass knows one game's public cards.

    Attributes:
        n: The number of moves that were followed.
        gone: The seats of players who have left.
        recently: Cards that all players saw in the previous round.
        seen: Cards that all players have seen in this round.
        by_seat: Cards that each seat's player has seen.
    """

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

    def cards_seen_by_all(self, n: int | None) -> tuple[set[Face], set[Face]]:
        """Return the cards that all players had seen in this round, and those of the previous round.

        ``n`` is the number of moves, or None for the current state.
        """
        return self._by_moves[-1 if n is None else n]

    def cards_seen_by(self, player_id: int) -> set[Face]:
        """Return the cards that a user has seen, who is a player or a spectator of the match."""
        seat = self.match.seat_of(player_id)
        return self.seen | self.recently if seat is None else self.by_seat[seat]

    async def follow(self, database: Database) -> None:
        """Update the seen cards with the moves that were stored since the last call."""
        for entry in await database.journal.entries(self.match.id, self.n):
            if entry.n < self.n:  # a concurrent call has already followed this move
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
        """Return whether the last move shuffled all cards, so that no player knows any card's place."""
        return False

    @abstractmethod
    def _laid_open(self, entry: Entry | None) -> set[Face]:
        """Return the cards that are public after a move, and those that were public during it.

        If ``entry`` is None, return the cards that are public after the deal.
        """


class KnowledgeOfToad(Knowledge):
    """The cards that players have seen in a match of Toad.

    Until the next deal, the face-up stock, the top discard, hands shown by a claim and safe hands are
    public. At the end of a round, all hands are turned up except those of players who have left.
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
    """The cards that players have seen in a match of Frogger.

    The corridor, every card that was in the market and every card played are public.
    """

    def _laid_open(self, entry: Entry | None) -> set[Face]:
        seen = {*self.state.corridor, *self.state.market}
        if entry is not None and entry.text.startswith("play "):
            seen.update(decktet_cards_of(entry.text.split()[1]))
        return seen


KNOWLEDGE: dict[str, type[Knowledge]] = {"toad": KnowledgeOfToad, "frogger": KnowledgeOfFrogger}
"""The class for each game with hidden hands, by the game's key."""


class Secrets:
    """A checker that searches messages and logs for the secrets of all matches in progress."""

    def __init__(self) -> None:
        self._matches: dict[str, Knowledge] = {}
        self._seeds: set[bytes] = set()
        self._judged: dict[int, tuple[str, ...]] = {}
        self._read: dict[int, tuple[str, list[Any]]] = {}

    async def complaints(self, database: Database, backend: Backend) -> list[str]:
        """Return a line for each secret that a current message reveals.

        Unchanged messages are not checked again, because a later deal may hide the cards that they show.
        """
        live, found = await self._update_knowledge(database), []
        readers = {channel_id: person for person, channel_id in backend.dm_channels.items()}
        for channel_id, messages in backend.messages.items():
            for stored in messages.values():
                if self._is_already_checked(stored):
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
                told = (
                    _public_leaks(message, live)
                    if reader is None
                    else self._private_leaks(message, reader)
                )
                found += [f"message {stored.id}: {complaint}" for complaint in told]
        return found

    def _is_already_checked(self, stored: Any) -> bool:
        """Return whether a message is unchanged since the last call, and remember its content.

        Comparing the identity of its components is enough, because each edit replaces them.
        """
        content, components = self._read.get(stored.id, ("", None))
        if components is stored.components and content == stored.content:
            return True
        self._read[stored.id] = stored.content, stored.components
        return False

    def _private_leaks(self, message: Message, reader: int) -> Iterator[str]:
        """Yield a line for each secret that a DM or ephemeral message reveals to its reader.

        A waiting player's hand has no controls that identify its match. In such a message, the seen
        cards of all the reader's matches are allowed.
        """
        if message.match_ids:
            about = [self._matches[match_id] for match_id in message.match_ids & self._matches.keys()]
        else:
            about = [one for one in self._matches.values() if one.match.seat_of(reader) is not None]
        if about:
            yield from message.complaints(
                set().union(*(one.cards_seen_by(reader) for one in about)), set()
            )

    async def _update_knowledge(self, database: Database) -> dict[str, Knowledge]:
        live = {}
        for match in await database.journal.live():
            self._seeds.update(filter(None, (match.seed, match.secret)))
            if match.stage is Stage.PLAYING and match.game in KNOWLEDGE:
                if match.id not in self._matches:
                    self._matches[match.id] = KNOWLEDGE[match.game](match)
                live[match.id] = self._matches[match.id]
        for known in self._matches.values():  # some matches may have ended since the last check
            await known.follow(database)
        return live

    def leaking_log_lines(self, lines: Iterable[str]) -> list[str]:
        """Return the log lines that name a card, a match's seed or a match's secret."""
        return lines_with_secrets(lines, self._seeds)


def _public_leaks(message: Message, live: Mapping[str, Knowledge]) -> Iterator[str]:
    """Yield a line for each secret that a public message reveals."""
    if match_ids := message.match_ids & live.keys():
        for match_id in match_ids:
            yield from message.complaints(*live[match_id].cards_seen_by_all(message.shows(match_id)))
    elif not message.match_ids:  # a message without controls must name no card
        yield from message.complaints(set(), set())


def lines_with_secrets(lines: Iterable[str], secrets: Iterable[bytes]) -> list[str]:
    """Return the log lines that name a card or contain one of the secrets in any usual encoding."""
    forms = {form for secret in secrets for form in _encoded_secrets(secret)}
    return [
        line for line in lines if cards_in(line) or codes_in(line) or any(form in line for form in forms)
    ]


def _encoded_secrets(secret: bytes) -> Iterator[str]:
    """Yield the beginning of a secret in each usual encoding.

    The beginning is enough, because a log line may be cut.
    """
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


def _joined_codes(cards: Iterable[Face]) -> str:
    return " ".join(sorted(card.code for card in cards))
