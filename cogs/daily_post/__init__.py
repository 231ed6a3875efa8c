"""The daily post of a server, and the screen on which its admins set what is posted regularly."""
