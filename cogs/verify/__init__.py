"""``/verify``, which checks a match's deal against its commitment, and its moves against the deal."""
