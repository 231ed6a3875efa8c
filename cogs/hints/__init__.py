"""The *Hint* button, which suggests a strong computer player's move."""
