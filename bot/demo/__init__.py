"""Demo for the web browser. It runs the real bot on SimCord, a simulation of Discord."""

from bot.demo.server import DemoError, show

__all__ = ["DemoError", "show"]
