"""The *Share* button, which posts the result of a match in its channel."""
