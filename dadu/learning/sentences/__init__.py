"""Sentences with what they mean, from a synchronous grammar: words and frames are drawn together.

`speaker.py` holds the chance and the templates, `nouns.py` to `talk.py` the grammar from things to whole instructions,
`noise.py` how people write, `names.py` which nouns there are, `store.py` and `run.py` the folder.
"""
