"""What a match is, whatever stores it or shows it: who sits there, how it was dealt, what it counts."""
