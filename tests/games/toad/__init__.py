"""The rules of Toad, T1 to T15, each with its test."""
