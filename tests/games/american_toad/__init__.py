"""American Toad Solitaire."""
