"""The doctor in a channel."""
