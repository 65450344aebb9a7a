"""Tasks at scale, after PARTNR's pipeline with simulation in the loop: proposed from what a home affords, filtered by
common sense, carried out in the oracle, read back by the grammar, freed of duplicates, balanced.

`propose.py` and `said.py` say what may be asked for and how, `sense.py` what nobody would ask for, `verify.py` is the
pipeline of one task, `chosen.py` what of all homes is kept, `store.py`, `run.py` and `written.py` the folder.
"""
