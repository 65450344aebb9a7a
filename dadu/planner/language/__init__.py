"""From an instruction in plain language to a goal, in two halves; `interpret.interpret` goes through both.

Reading knows words and no world. `rewrites` and `spelling` make the text plainer, `tokens` tags its words by
``lexicon.yaml``, and `sentences` reads it into the clauses of `syntax`: `statements`, `wishing`, `asking`,
`circumstances`, `listed` and `repeated` for what is no plain order; `clauses` for the rest, with `verbs`, `phrases`
(`determiners`, `adjectives`, `purposes`, `positions`) and `boundaries`. At the end `neighbours` and `placeless` give
each clause what only the one beside it says.

Understanding knows the world graph. Clause by clause, `left_out` and `unlisted` fill in what is missing, `attachment`
offers the ways to read its prepositions, `nouns`, `things` and `pronouns` say what is meant, and the verb's function in
`frames` adds propositions to the `draft`, which becomes the goal. What cannot be understood is a `refusal`.

A new word goes into a YAML file here or in ``commonsense``; a new turn of phrase into the file whose first line it
fits, with a sentence in ``test/planner/asked``.
"""
