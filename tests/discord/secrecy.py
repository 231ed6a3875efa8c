"""Judges what the bot shows and logs: nobody is told a card that they have not seen.

Who has seen which card is told here from the stored moves and the true states behind them, and not
from the views of the game, which are what is on trial.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from simcord.backend import Backend
from simcord.components import walk_components

from bot.engine.cards import PACK, Card
from bot.engine.match import Match, Stage, advance, opening
from bot.games import games
from bot.games.toad.state import State
from bot.storage import Database

TOAD = games()["toad"]
BY_FACE = {card.index + card.suit.symbol[0]: card for card in PACK}
BY_CODE = {card.code: card for card in PACK}
_FACE = re.compile(r"(?:10|[2-9AJQK])[♣♦♥♠]")
_CODE = re.compile(r"\b[2-9TJQKA][CDHS]\b")


def cards_in(*texts: str) -> set[Card]:
    """Return every card that is named in some texts."""
    return {BY_FACE[face] for text in texts for face in _FACE.findall(text)}


class Message:
    """The words of a message as Discord keeps it, taken apart by where they stand."""

    def __init__(self, content: str, components: list[Any]) -> None:
        parts = list(walk_components(components))
        items = [item for part in parts for item in part.get("items") or ()]
        options = [option for part in parts for option in part.get("options") or ()]
        self.text = "\n".join([content, *(str(part.get("content") or "") for part in parts)])
        self.ids = [str(part["custom_id"]) for part in parts if part.get("custom_id")]
        self.ids += [str(option.get("value")) for option in options]
        self.rest = "\n".join(
            [str(item.get("description") or "") for item in items]
            + [str(part.get("label") or "") for part in (*parts, *options)]
            + [str(option.get("description") or "") for option in options]
        )

    @property
    def match_ids(self) -> set[str]:
        """The matches that the controls belong to."""
        return {parts[1] for parts in self._id_parts if len(parts) > 1}

    def shows(self, match_id: str) -> int | None:
        """After how many moves the message shows a match, as its controls have it."""
        found = (int(parts[2]) for parts in self._id_parts if parts[:2] == ["m", match_id])
        return next(found, None)

    @property
    def _id_parts(self) -> list[list[str]]:
        return [custom_id.split(":") for custom_id in self.ids]

    def complaints(self, seen: set[Card], recently: set[Card]) -> Iterator[str]:
        """Yield what is told that was not seen; ``recently``: what the story may still tell of."""
        if told := cards_in(self.rest) - seen:
            yield f"picture or controls tell of {_codes(told)}"
        if told := cards_in(self.text) - seen - recently:
            yield f"text tells of {_codes(told)}"
        for custom_id in self.ids:
            if BY_CODE.keys() & set(re.split(r"\W+", custom_id)) or cards_in(custom_id):
                yield f"a card stands in the custom_id {custom_id}"


class Knowledge:
    """Who has seen which card of one match of Toad, move by move."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.n = 0
        self.state: State = opening(TOAD, match)
        self.recently: set[Card] = set()
        self.seen: set[Card] = set()
        self.by_seat: list[set[Card]] = [set() for _player in match.players]
        self._by_moves: list[tuple[set[Card], set[Card]]] = []
        self._look()

    def of_all(self, n: int | None) -> tuple[set[Card], set[Card]]:
        """Return what all had seen after n moves (or now), in that round and in the one before."""
        return self._by_moves[-1 if n is None else n]

    async def follow(self, database: Database) -> None:
        """Take in the moves that were stored since."""
        for entry in await database.journal.entries(self.match.id, self.n):
            before, self.state = self.state, advance(TOAD, self.state, entry)
            self.n = entry.n + 1
            if self.state.round != before.round:
                self.recently, self.seen = self.seen, set()
            self._look()

    def _look(self) -> None:
        state = self.state
        self.seen |= {card for card in state.stock if card} | set(state.discards[-1:])
        self.seen |= {card for cards in state.shown for card in cards}
        self.seen |= {card for seat in state.safe for card in state.hands[seat]}
        self._by_moves.append((set(self.seen), self.recently))
        for seat, hand in enumerate(state.hands):
            self.by_seat[seat].update(self.seen, hand)


class Secrets:
    """Watches over the secrets of every match in a server, for as long as each is played."""

    def __init__(self) -> None:
        self._matches: dict[str, Knowledge] = {}
        self._seeds: set[bytes] = set()

    async def complaints(
        self, database: Database, backend: Backend, panels: Mapping[int, tuple[str, int]]
    ) -> list[str]:
        """Return what the messages of the moment tell that they should not.

        ``panels`` says of each private panel (by its message) whose match and which player's it is.
        """
        live = await self._follow(database)
        owners = dict(panels)
        for match_id, known in live.items():
            for spot, post in (await database.posts.all(match_id)).items():
                if spot.startswith("hand "):
                    owners[post.message_id] = (match_id, known.match.players[int(spot[5:])].id)
        found = []
        for channel_id, messages in backend.messages.items():
            in_dm = backend.get_channel(channel_id).guild_id is None
            for stored in messages.values():
                message = Message(stored.content, stored.components)
                owner = owners.get(stored.id) if in_dm or stored.is_ephemeral else None
                if owner is None and stored.is_ephemeral:
                    reader = int((stored.interaction_metadata or {})["user"]["id"])
                    owner = next(((one, reader) for one in message.match_ids & live.keys()), None)
                if owner is None and (in_dm or stored.is_ephemeral):
                    continue  # the rules, a question, or a hand of a match that is over
                found += [f"message {stored.id}: {words}" for words in _of_one(message, owner, live)]
        return found

    async def _follow(self, database: Database) -> dict[str, Knowledge]:
        live = {}
        for match in await database.journal.live():
            if match.seed is not None:
                self._seeds.add(match.seed)
            if match.stage is Stage.PLAYING and match.game == TOAD.info.key:
                known = self._matches.setdefault(match.id, Knowledge(match))
                await known.follow(database)
                live[match.id] = known
        return live

    def in_logs(self, lines: Iterable[str]) -> list[str]:
        """Return the log lines that name a card or a seed."""
        forms = {form for seed in self._seeds for form in _forms(seed)}
        return [
            line
            for line in lines
            if cards_in(line) or _CODE.search(line) or any(form in line for form in forms)
        ]


def _of_one(
    message: Message, owner: tuple[str, int] | None, live: Mapping[str, Knowledge]
) -> Iterator[str]:
    if owner is not None and owner[0] in live:
        known = live[owner[0]]
        seat = known.match.seat_of(owner[1])
        mine = known.seen | known.recently if seat is None else known.by_seat[seat]
        yield from message.complaints(mine, set())
    elif owner is None and (match_ids := message.match_ids & live.keys()):
        for match_id in match_ids:
            yield from message.complaints(*live[match_id].of_all(message.shows(match_id)))
    elif owner is None and not message.match_ids:  # words at the table: no card belongs there
        yield from message.complaints(set(), set())


def _forms(seed: bytes) -> tuple[str, ...]:
    return seed.hex(), repr(seed), base64.b64encode(seed).decode().rstrip("="), str(int.from_bytes(seed))


def _codes(cards: Iterable[Card]) -> str:
    return " ".join(sorted(card.code for card in cards))
