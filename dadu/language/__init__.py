"""From an instruction in plain language to a goal: `interpret.interpret` first reads (`reading`: words, no world), then
understands (`understanding`: what the words mean in the world graph). What cannot be understood is a `refusal`.

A new word goes into a YAML file here or in ``dadu/knowledge``; a new turn of phrase into the file whose first line it
fits, with a sentence in ``test/language/asked``.
"""
