"""American Toad Solitaire, a card game for one player with two packs (rules A1 to A14)."""

from __future__ import annotations

from functools import partial

from bot.engine.game import Game
from bot.engine.rules_pages import rules_pages
from bot.games.american_toad import match, panel, rules, scene, solver, state, view, words
from bot.games.american_toad.hints import QUESTIONS, RETRY
from bot.games.american_toad.lesson import LESSON
from bot.games.american_toad.scene import PICTURES
from bot.games.american_toad.state import Move, State
from bot.games.american_toad.view import LOOKBACK

GAME = Game[State, Move, view.View](
    info=match.INFO,
    deal=match.deal,
    to_move=match.to_move,
    legal_moves=rules.legal_moves,
    play=rules.play,
    remaining=match.remaining,
    withdraw=rules.withdraw,
    outcome=view.outcome,
    unfolding=match.unfolding,
    tally=match.tally,
    every_card=match.every_card,
    view=view.view,
    scene=scene.scene,
    panel=panel.panel,
    aim_values=words.aim_values,
    words=words.words,
    pages=partial(rules_pages, __name__, PICTURES),
    write=state.write,
    read=state.read,
    recorded=rules.journal_move,
    find_deal=solver.find_deal,
    lesson=LESSON,
    questions=QUESTIONS,
    retry=RETRY,
    lookback=LOOKBACK,
    shared=words.share_lines,
)
