"""What an instruction asks for, without the house in it: a small closed set of immutable types.

Whoever understands words writes these (the grammar, a language model under guided decoding), and
grounding alone makes a goal of them. `noun.py` is how things and places are spoken of, `frame.py` what is asked for,
`schema.py` their JSON.
"""
