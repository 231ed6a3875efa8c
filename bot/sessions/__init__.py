"""Live tables: seats, turns and clocks, independent of Discord and SQL."""
