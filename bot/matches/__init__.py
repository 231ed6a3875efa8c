"""Match data: seats, deals, results and settings. Independent of storage and display."""
