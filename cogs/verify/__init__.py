"""The command ``/verify``, which checks that a finished match was dealt fairly."""
