"""Match data: seats, deals, results and settings. This package does not access storage or Discord."""
