"""Where things go: on, in, beside, where they belong; `placing.py` is the way in."""
