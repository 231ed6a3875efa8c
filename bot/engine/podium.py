"""The podium at the end of a match, a thing that scenes are made of: who came in where."""

from __future__ import annotations

from bot.engine.values import frozen

PODIUM_STEPS, PODIUM_HEIGHT, PODIUM_LINE = 3, 2.62, 0.54


@frozen
class Standing:
    """The place of a seat in a match that is over, from 1, with a ``note`` on how it came there.

    Who is ``crowned`` has won. ``token``: its frog is the one it played with.
    """

    seat: int
    name: str
    place: int
    note: str = ""
    crowned: bool = False
    token: bool = False
    computer: bool = False


@frozen
class Podium:
    """Who came in where: the first ones on steps, the others in a line below. Best first."""

    x: float
    y: float
    width: float
    standings: tuple[Standing, ...]

    @property
    def height(self) -> float:
        """How high it is."""
        return PODIUM_HEIGHT + (PODIUM_LINE if self.standings[PODIUM_STEPS:] else 0.0)
