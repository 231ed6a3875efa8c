"""What a message says, planned as data: no bot is started to read a sentence."""
