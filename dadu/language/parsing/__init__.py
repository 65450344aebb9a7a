"""Words to frames: the grammar of instructions in English, without the house that they are said in.

`words.yaml` the word classes, `tokens.py` text to words, `english.lark` the grammar, `trees.py` the best tree of a
sentence, `rules/` one method a rule that makes frames of trees, `account.py` that no word was lost, `parse.py` all of
it in order.
"""
