"""Features, a folder each: its commands, its clicks, its words and what it keeps; none knows another."""
