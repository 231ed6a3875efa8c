"""Tables of games for several players: the slash commands, such as ``/toad start``, and the buttons."""
