"""Toad, a card game with hidden hands (rules T1 to T18).

The aim is to hold cards with exactly 10 red and 10 black spots. The game was published by Richard Smith
in 1980, for two to six players.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter

from bot.engine.game import Duel, Game
from bot.engine.lots import lot_of_move
from bot.engine.rules_pages import rules_pages
from bot.engine.translation import N_
from bot.games.toad import match, panel, rules, scene, state, view, words
from bot.games.toad.lesson import LESSON
from bot.games.toad.opponent import THINKING
from bot.games.toad.puzzles import PUZZLES
from bot.games.toad.review import REVIEW
from bot.games.toad.scene import PICTURES
from bot.games.toad.state import Move, State
from bot.games.toad.view import LOOKBACK

_DUEL = Duel(
    boards=8,
    challenge_boards=4,
    options={"lives": 1, match.COUNT: 1},
    limits=N_("one round, one life"),
)

_TODAY = Game[State, Move, view.View](
    info=match.INFO,
    deal=match.deal,
    to_move=match.to_move,
    legal_moves=rules.legal_moves,
    play=rules.play,
    note_substitute=rules.note_substitute,
    automatic=match.automatic,
    has_banner=lambda now: view.claim(now.events) is not None,
    passing=match.passing,
    remaining=match.remaining,
    withdraw=match.withdraw,
    outcome=match.outcome,
    places=match.places,
    is_decided=attrgetter("is_decided"),
    tally=match.tally,
    every_card=match.every_card,
    view=view.view,
    scene=scene.scene,
    panel=panel.panel,
    words=words.words,
    history=words.history,
    pages=partial(rules_pages, __name__, PICTURES),
    write=state.write,
    read=state.read,
    thinking=THINKING,
    lesson=LESSON,
    review=REVIEW,
    puzzles=PUZZLES,
    lookback=LOOKBACK,
    duel=_DUEL,
)

_THIRD = replace(
    _TODAY, info=replace(match.INFO, rules_version=3), duel=replace(_DUEL, boards=6)
)  # a day of duels had six boards
_SECOND = replace(_THIRD, info=replace(match.INFO, rules_version=2), lot=lot_of_move)
_FIRST = replace(
    _SECOND,
    info=replace(match.INFO, rules_version=1),
    withdraw=partial(match.withdraw, round_end=match.round_end),
)
GAME = replace(_TODAY, earlier=(_THIRD, _SECOND, _FIRST))
