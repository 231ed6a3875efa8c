"""Tables of games for several players: slash commands such as ``/toad start``, and buttons."""
