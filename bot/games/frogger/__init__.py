"""Frogger (for the Decktet), a race of six frogs along a corridor of suits (rules F1 to F16).

The game is by José Carlos de Diego Guerrero, for two to five players.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bot.engine.game import Duel, Game
from bot.engine.lots import lot_of_move
from bot.engine.rules_pages import rules_pages
from bot.engine.translation import N_
from bot.games.frogger import match, panel, rules, scene, state, view, words
from bot.games.frogger.lesson import LESSON
from bot.games.frogger.opponent import THINKING
from bot.games.frogger.puzzles import PUZZLES
from bot.games.frogger.review import REVIEW
from bot.games.frogger.scene import PICTURES
from bot.games.frogger.state import Move, State
from bot.games.frogger.view import LOOKBACK

_DUEL = Duel(
    boards=5,
    challenge_boards=2,
    options={rules.HOME: 3, rules.TURNS: 12},
    limits=N_("three frogs already home, twelve turns at most"),
)

_TODAY = Game[State, Move, view.View](
    info=match.INFO,
    deal=rules.deal,
    to_move=match.to_move,
    legal_moves=rules.legal_moves,
    play=rules.play,
    note_substitute=rules.note_substitute,
    passing=rules.passing,
    remaining=match.remaining,
    withdraw=rules.withdraw,
    outcome=match.outcome,
    places=match.places,
    is_decided=match.is_decided,
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
    lookback=LOOKBACK,
    puzzles=PUZZLES,
    duel=_DUEL,
)

_SECOND = replace(
    _TODAY, info=replace(match.INFO, rules_version=2), duel=replace(_DUEL, boards=4)
)  # a day of duels had four boards
_FIRST = replace(_SECOND, info=replace(match.INFO, rules_version=1), lot=lot_of_move)
GAME = replace(_TODAY, earlier=(_SECOND, _FIRST))
