"""Sending and editing of all Discord messages about matches. This package has no rules and no layout."""
