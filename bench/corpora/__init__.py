"""Suites out of copies of published corpora of instructions: ``python -m bench.corpora``. No sentence of theirs is here."""
