"""Demo that runs the real bot on SimCord's model of Discord, on a page in the browser."""

from bot.demo.serving import DemoError, show

__all__ = ["DemoError", "show"]
