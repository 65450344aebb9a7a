"""Text to clauses. Knows words and no world.

`rewrites` and `spelling` make the text plainer, `tokens` tags its words by ``lexicon.yaml``, and `sentences` reads it
into the clauses of `syntax`: `statements`, `wishing`, `asking`, `circumstances`, `listed` and `repeated` for what is no
plain order; `clauses` for the rest, with `verbs`, `phrases` (`determiners`, `adjectives`, `purposes`, `positions`) and
`boundaries`. At the end `neighbours` and `placeless` give each clause what only the one beside it says.
"""
