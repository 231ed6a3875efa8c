"""Figures to steer by, for Prometheus: counted where things happen, and served over HTTP.

Nobody who is counted knows of it: what happens is told to observers, which the wiring hands in. No
figure holds an id, of a player, a server, a channel, a message or a match.
"""

from bot.metrics.counting import Metrics, serving

__all__ = ["Metrics", "serving"]
