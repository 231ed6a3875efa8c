"""Brings Discord's messages to what is stored, the only writer of them. No rules, no layout."""
