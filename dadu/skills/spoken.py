"""A skill's call in plain words: what a learned policy is prompted with, and what demonstrations are filed under."""

from __future__ import annotations

from dadu.skills.call import SkillCall
from dadu.skills.table import WORDS
from dadu.world.graph import WorldGraph


def spoken(call: SkillCall, graph: WorldGraph) -> str:
    """``pick the red mug``, ``place on the dining table``: ids as what `graph` says that they are, else as they are."""
    said = [call.skill.replace("_", " ")]
    for argument in call.arguments:
        if argument in WORDS or argument not in graph:
            said.append(argument.replace("_", " "))
            continue
        thing = graph[argument]
        color = thing.attributes.get("color", "")
        said.append(" ".join(filter(None, ("the", color, thing.category.replace("_", " ")))))
    return " ".join(said)
