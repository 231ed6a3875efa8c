"""Live tables: their seats, turns and clocks. This package depends on neither Discord nor SQL."""
