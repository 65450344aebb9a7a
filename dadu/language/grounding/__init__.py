"""From frames to a goal: what is meant by the words in this world.

`ground.py` is the whole of it; one file a kind of frame (`move.py`, `change.py`...), `nouns/` for noun phrases,
`places/` for where things go, `finish.py` for what becomes of it all together. Everything is a pure
function: what was said before is a `dadu.language.discourse.Discourse`, what was asked for so far a
`partial_goal.PartialGoal`, both immutable.
"""
