"""American Toad Solitaire: one player, two packs (rules A1 to A12)."""

from __future__ import annotations

from functools import partial

from bot.engine.game import Game
from bot.engine.pages import rules_pages
from bot.games.american_toad import deals, info, match, moves, panel, rules, scene, sharing, view, words
from bot.games.american_toad.examples import PICTURES
from bot.games.american_toad.questions import QUESTIONS
from bot.games.american_toad.state import Move, State

GAME = Game[State, Move, view.View](
    info=info.INFO,
    deal=match.deal,
    to_move=match.to_move,
    legal_moves=rules.legal_moves,
    play=rules.play,
    remaining=match.remaining,
    withdraw=match.withdraw,
    outcome=view.outcome,
    tally=match.tally,
    every_card=match.every_card,
    view=view.view,
    scene=scene.scene,
    panel=panel.panel,
    words=words.words,
    pages=partial(rules_pages, __name__, PICTURES),
    write=moves.write,
    read=moves.read,
    recorded=rules.recorded,
    find_deal=deals.find_deal,
    questions=QUESTIONS,
    shared=sharing.shared,
)
