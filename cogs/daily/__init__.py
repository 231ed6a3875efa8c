"""The deal of the day: ``/solitaire daily`` with its single try, past deals and leaderboards."""
