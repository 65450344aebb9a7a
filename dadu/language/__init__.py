"""From an instruction in plain language to a goal: `parsing` words to `frames`, without the house in them; `grounding`
these and a `discourse`, what was spoken of before, to a goal. What cannot be understood is a `refusal`.

A new word goes into ``parsing/words.yaml`` or ``dadu/knowledge``; a new turn of phrase into ``parsing/english.lark``
and a method of ``parsing/rules``, with a sentence in ``test/language``.
"""
