"""Tests of the settings of servers and players."""
