"""Suites out of copies of published corpora of instructions: ``python -m bench.corpora``. They are not part of this."""
