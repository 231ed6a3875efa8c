"""Commands and buttons of solitaire games."""
