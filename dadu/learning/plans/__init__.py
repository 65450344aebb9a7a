"""Data to train a planner model on: instructions in generated homes, carried out by the symbolic planner.

`home.py` is the world, `asked/` and `task.py` an instruction in it and the goal that it means, `teacher.py` and
`episode.py` how it is carried out and judged, `writing.py` and `mistakes.py` what a model should say and should not,
`store.py` and `run.py` the folder.
"""
