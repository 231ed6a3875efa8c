"""Features, one folder each, with their commands, clicks, content and stored data.

They are independent.
"""
