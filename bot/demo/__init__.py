"""Demo in the browser. It runs the real bot on SimCord, a model of Discord."""

from bot.demo.serving import DemoError, show

__all__ = ["DemoError", "show"]
