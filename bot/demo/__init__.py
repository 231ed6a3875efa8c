"""Demo in the browser. It runs the real bot on SimCord, a model of Discord."""

from bot.demo.server import DemoError, show

__all__ = ["DemoError", "show"]
