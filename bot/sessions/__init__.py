"""Live tables: who sits where, whose turn it is, what the clock does. No Discord, no SQL."""
