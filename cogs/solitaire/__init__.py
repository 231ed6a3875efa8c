"""``/solitaire start``, and the questions about a deal."""
