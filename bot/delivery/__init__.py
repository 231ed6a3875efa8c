"""Brings Discord's messages to what is stored. No rules, no layout."""
