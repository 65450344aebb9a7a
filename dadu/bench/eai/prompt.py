"""The prompts of the Embodied Agent Interface for action sequencing, read as a language model would have to."""

from __future__ import annotations

import ast
import re

from dadu.bench.eai.scene import ActionGoal, Fact, PromptScene, Thing
from dadu.core.errors import DaduError, choices

_THING = re.compile(r"(\S+), id: (\d+), properties: (\[.*\])")
_STATES = re.compile(r"(\S+), states: (\[.*?\]), properties:")
_EDGE = re.compile(r"<(\S+)> \((\d+)\) is (\w+) to <(\S+)> \((\d+)\)")
_NODE_GOAL = re.compile(r"(\S+) is (\w+)$")
_EDGE_GOAL = re.compile(r"(\S+) is (\w+) to (\S+)$")
_ACTIONS = re.compile(r"[A-Z_]+(( or |\|)[A-Z_]+)*")
_RULER = re.compile(r"^-{5,}\s*$", re.MULTILINE)
_HEADS = ("Objects in the scene:", "Nodes:", "Edges:", "Node goals are:", "Edge goals are:", "Action goals are:")
_NEAR = {"CLOSE": "NEAR"}
"""their goals call near what their scenes call near; an action is called close, too"""


class PromptError(DaduError):
    """A prompt that does not read as they do."""


def read_prompt(text: str) -> PromptScene:
    """What a prompt for action sequencing describes. Errors: PromptError naming what is missing."""
    part = _sections(text.rpartition("\nInput:\n")[2])
    things = {thing.id: thing for thing in (Thing(m[1], m[2], frozenset(ast.literal_eval(m[3])))
                                            for m in _THING.finditer(part["Objects in the scene:"]))}
    scene = PromptScene(things)
    for m in _STATES.finditer(part["Nodes:"]):
        for id in scene.of(m[1]):
            scene.facts |= {(state, id) for state in ast.literal_eval(m[2])}
    for m in _EDGE.finditer(part["Edges:"]):
        subject, object = Thing(m[1], m[2]).id, Thing(m[4], m[5]).id
        if subject in things and object in things:
            scene.facts.add((_NEAR.get(m[3], m[3]), subject, object))
    lines = (*part["Node goals are:"].splitlines(), *part["Edge goals are:"].splitlines())
    scene.goals = tuple(_goal(scene, line.strip()) for line in lines if line.strip())
    scene.actions = tuple(_action_goals(part["Action goals are:"]))
    return scene


def _sections(text: str) -> dict[str, str]:
    """What stands below each heading, up to the next ruler or heading."""
    found = {}
    for head in _HEADS:
        at = re.search(rf"^{re.escape(head)}[ ]*$", text, re.MULTILINE)
        if at is None:
            raise PromptError(f"no line {head!r} in the prompt")
        rest = text[at.end():]
        ends = [m.start() for h in _HEADS if (m := re.search(rf"^{re.escape(h)}", rest, re.MULTILINE))]
        ruler = _RULER.search(rest)
        found[head] = rest[:min([*ends, *([ruler.start()] if ruler else []), len(rest)])]
    return found


def _goal(scene: PromptScene, line: str) -> tuple[Fact, ...]:
    """The facts that a line may mean: their goals give names, and several things may have one."""
    edge, node = _EDGE_GOAL.match(line), _NODE_GOAL.match(line)
    match = edge or node
    if match is None:
        raise PromptError(f"goal {line!r} is neither NAME is STATE nor NAME is RELATION to NAME")
    predicate = _NEAR.get(match[2], match[2]) if edge else match[2]
    subjects = list(scene.of(match[1]))
    objects = list(scene.of(edge[3])) if edge else []
    facts = tuple((predicate, s, o) for s in subjects for o in objects) if edge else tuple(
        (predicate, s) for s in subjects)
    if not facts:
        raise PromptError(f"goal {line!r} names nothing of {choices({thing.name for thing in scene.things.values()})}")
    return facts


def _action_goals(text: str) -> list[ActionGoal]:
    """Each is printed twice, its names joined by a word and by a bar."""
    lines = [line.strip() for line in text.splitlines() if _ACTIONS.fullmatch(line.strip())]
    return [ActionGoal(tuple(line.split("|"))) for line in lines[1::2]]
