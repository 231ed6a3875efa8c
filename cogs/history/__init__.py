"""The button *What happened?*, which shows the events of a match, one page per turn."""
