"""Export of a person's data, and forgetting of a person or a server."""
