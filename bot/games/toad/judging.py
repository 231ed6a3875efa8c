"""How likely a turn of Toad is to save the seat, weighed over worlds that fit what it remembers."""

from __future__ import annotations

from math import prod

from bot.engine.thinking import Lots
from bot.games.toad.compact import KIND, KINDS, NUMBER, WORTH, WORTH_OF_KIND
from bot.games.toad.hands import WITHOUT, bits, completing, distance, is_toad, kinds_in
from bot.games.toad.memory import Memory, world
from bot.games.toad.options import Option, draws

WORLDS = 80
FARNESS = 0.86
"""How much less likely, by the spot, a rival is to hold what is far from a toad: it chose its cards."""

LOOKS = 2
"""How many unseen cards a seat gets to see from one of its turns to the next."""

LOST_TO_A_RIVAL = 0.3
"""How often a rival takes the very stock card that a seat waits for."""

SURE = 0.97
LATER_HAZARD = 0.35
LATER_CHANCE = 0.45
"""What is left to hope for when neither of the next two turns saved the seat."""


def power(base: float, times: int) -> float:
    """Return a number times itself; unlike ``**`` it is the same to the last bit on every machine."""
    return prod((base,) * times)


class Judge:
    """The chances of a seat, as one of its memories has them."""

    def __init__(self, memory: Memory, lots: Lots) -> None:
        self.counts = [0] * KINDS
        for card in memory.unseen:
            self.counts[KIND[NUMBER[card]]] += 1
        self.total = max(1, sum(self.counts))
        self.rivals = memory.rivals
        self._shares: dict[int, float] = {}
        self._soon: dict[tuple[int, int], float] = {}
        self._later: dict[tuple[int, int], float] = {}
        self._ended: dict[int, float] = {}
        self._threats = [self._threat(memory, lots) for _ in range(WORLDS)]

    def _threat(self, memory: Memory, lots: Lots) -> tuple[float, tuple[tuple[int, float], ...]]:
        """Return how likely a world is, and for each rival what completes it, seen or unseen."""
        hands, _draw = world(memory, lots)
        weight, threats = 1.0, list[tuple[int, float]]()
        for seat in self.rivals:
            worth = sum(WORTH[card] for card in hands[seat])
            if is_toad(worth) and (memory.known[seat] or memory.discards):
                weight = 0.0  # it has had a turn, and would have said so
            weight *= power(FARNESS, distance(worth))
            kinds = completing(worth)
            threats.append((kinds, self._share(kinds)))
        return weight, tuple(threats)

    def _share(self, kinds: int) -> float:
        """Return how many of the unseen cards are of these kinds, of 1."""
        share = self._shares.get(kinds)
        if share is None:
            share = sum(self.counts[kind] for kind in bits(kinds)) / self.total
            self._shares[kinds] = share
        return share

    def ended(self, offered: int) -> float:
        """Return how likely all rivals are to be safe before this seat's next turn."""
        chance = self._ended.get(offered)
        if chance is None:
            total = sum(weight for weight, _threats in self._threats) or 1.0
            chance = 0.0
            for weight, threats in self._threats:
                shares = (1.0 if kinds & (offered | WITHOUT) else share for kinds, share in threats)
                chance += weight * prod(shares) / total
            self._ended[offered] = chance
        return chance

    def soon(self, worth: int, kept: int) -> float:
        """Return how likely the next turn is to complete a hand."""
        kinds = completing(worth)
        if kinds & WITHOUT:
            return SURE
        key = kinds, kinds & kept
        chance = self._soon.get(key)
        if chance is None:
            lost = 1 - power(1 - LOST_TO_A_RIVAL, len(self.rivals))
            missed = power(1 - self._share(kinds), LOOKS) * power(
                lost, min(2, (kinds & kept).bit_count())
            )
            chance = self._soon[key] = 1 - missed
        return chance

    def later(self, worth: int, kept: int) -> float:
        """Return how likely the turn after the next is to complete a hand, the next brings it on."""
        key = worth, kept
        chance = self._later.get(key)
        if chance is None:
            seen = max(
                (self._brought(worth, kind, kept & ~(1 << kind)) for kind in bits(kept)), default=0
            )
            drawn = sum(
                count * self._brought(worth, kind, kept)
                for kind, count in enumerate(self.counts)
                if count
            )
            chance = self._later[key] = max(seen, drawn / self.total)
        return chance

    def _brought(self, worth: int, kind: int, kept: int) -> float:
        with_it = worth + WORTH_OF_KIND[kind]
        best = self.soon(with_it, kept)
        for other in kinds_in(worth):
            chance = self.soon(with_it - WORTH_OF_KIND[other], kept)
            best = max(best, chance)
        return best

    def chance(self, option: Option) -> float:
        """Return how likely a turn is to save the seat in the end."""
        if is_toad(option.worth):
            return 1.0
        soon = self.soon(option.worth, option.kept)
        later = self.later(option.worth, option.kept)
        goes_on = 1 - power(LATER_HAZARD, len(self.rivals))
        after = goes_on * (later + (1 - later) * LATER_CHANCE)
        return (1 - self.ended(option.offered)) * (soon + (1 - soon) * after)

    def drawing(self, memory: Memory) -> float:
        """Return how likely a turn that draws is to save the seat in the end."""
        total = 0.0
        for kind, count in enumerate(self.counts):
            if count:
                ends = draws(memory, kind, WORTH_OF_KIND[kind])
                total += count * max(map(self.chance, ends))
        return total / self.total
