"""Matches as stored: seats, deal, results and settings, independent of storage and display."""
