"""Sentences with what they mean, from a synchronous grammar: words and frames are drawn together.

`speaker.py` holds the chance and the templates, `nouns.py` to `talk.py` the grammar from things to whole instructions,
`wording.py` makes frames and a line of text of these, `held_out.py` says what training never sees.
"""
