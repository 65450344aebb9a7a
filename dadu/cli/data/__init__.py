"""``dadu data``: makes and checks data to learn from. One file a verb."""

from __future__ import annotations

from dadu.cli.verbs import verb_group

app = verb_group("dadu.cli.data", "Make data to learn from, and check it.", {
    "pictures": "Renders labelled RGB-D pictures of generated homes, or of house files.",
    "plans": "Draws instructions in homes and carries them out: to train a planner model on.",
    "tasks": "Makes verified tasks in generated homes, as suites for `dadu eval`.",
    "suite": "Writes kept-out plans as a suite for `dadu eval`.",
    "episodes": "Writes recorded runs as a LeRobot dataset, to train policies on.",
    "examples": "Adds what succeeded in an evaluation to the examples that a model is shown.",
    "check": "Checks a folder of pictures: files, counts, a sheet to look at.",
})
