"""The button *Hint*, which shows what a strong computer player would do."""
