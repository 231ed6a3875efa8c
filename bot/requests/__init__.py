"""Requests to Discord, all within one rate limit. This package does not decide what messages show."""
