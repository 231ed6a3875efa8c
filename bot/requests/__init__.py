"""Makes requests of Discord, each within one budget. Knows no table."""
