"""Tests of the message writer and of quiet hours, without a bot."""
