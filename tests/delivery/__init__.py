"""Slots, their queues and what is sent by them, without a bot."""
