"""Requests to Discord, within one budget. This package knows no tables' messages."""
