"""What the games are made of: cards, shuffling, panels, words and the folding of a match."""
