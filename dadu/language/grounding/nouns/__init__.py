"""Noun phrases: what a name means here, how many of it, and what pronouns stand for; `resolve.py` is the way in."""
