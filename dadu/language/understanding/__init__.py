"""Clauses to a goal, over the world graph.

Clause by clause, `left_out` and `unlisted` fill in what is missing, `attachment` offers the ways to read its
prepositions, `nouns`, `things` and `pronouns` say what is meant, and the verb's function in `frames` adds propositions
to the `draft`, which becomes the goal.
"""
