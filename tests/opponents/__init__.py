"""Tests of computer players in their worker processes."""
