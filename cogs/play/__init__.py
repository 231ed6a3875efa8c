"""Choosing moves at any table, the text of the whole table, and ways to end a match."""
