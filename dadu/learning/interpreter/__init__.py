"""Training of the interpreter called ``learned``: from folders of sentences to its weights."""
