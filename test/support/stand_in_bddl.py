"""A stand-in for BEHAVIOR's package: its problems are JSON, its goals conjunctions of atoms. An activity of our own."""

import json
import sys
from pathlib import Path

_MODULES = {
    "__init__.py": "", "backend_abc.py": "class BDDLBackend: pass",
    "parsing.py": """
import json
def parse_problem(name, definition, domain, predefined_problem=None):
    found = json.loads(predefined_problem)
    return name, found["objects"], found["init"], found["goal"]
""",
    "object_taxonomy.py": """
class ObjectTaxonomy:
    above = {"smock.n.01": ["shirt.n.01"], "shirt.n.01": ["garment.n.01"], "plinth.n.01": ["base.n.01"]}
    def is_valid_synset(self, synset): return not synset.startswith("odd")
    def get_parents(self, synset): return self.above.get(synset, [])
    def get_abilities(self, synset): return {"substance": {}} if synset.startswith("broth") else {}
""",
    "logic_base.py": """
class UnaryAtomicFormula:
    def __init__(self, scope, backend, body, object_map, generate_ground_options=True):
        self.things = [scope[word.strip("?")] for word in body]
    def evaluate(self): return self._evaluate(*self.things)
BinaryAtomicFormula = UnaryAtomicFormula
""",
    "condition_evaluation.py": """
def compile_state(goal, backend, scope, object_map, generate_ground_options):
    return [backend.get_predicate_class(atom[0])(scope, backend, atom[1:], object_map) for atom in goal]
def evaluate_state(compiled): return all(atom.evaluate() for atom in compiled), {}
""",
}
ACTIVITY = {
    "objects": {"floor.n.01": ["floor.n.01_1", "floor.n.01_2"], "breakfast_table.n.01": ["breakfast_table.n.01_1"],
                "cabinet.n.01": ["cabinet.n.01_1"], "bottle__of__rum.n.01": ["bottle__of__rum.n.01_1"],
                "smock.n.01": ["smock.n.01_1", "smock.n.01_2"], "tray.n.01": ["tray.n.01_1"],
                "broth.n.01": ["broth.n.01_1"], "agent.n.01": ["agent.n.01_1"]},
    "init": [["inroom", "floor.n.01_1", "kitchen"], ["inroom", "floor.n.01_2", "corridor"],
             ["inroom", "breakfast_table.n.01_1", "kitchen"], ["inroom", "cabinet.n.01_1", "corridor"],
             ["inside", "bottle__of__rum.n.01_1", "cabinet.n.01_1"], ["ontop", "tray.n.01_1", "breakfast_table.n.01_1"],
             ["ontop", "smock.n.01_1", "tray.n.01_1"], ["ontop", "smock.n.01_2", "floor.n.01_2"],
             ["open", "cabinet.n.01_1"], ["covered", "tray.n.01_1", "broth.n.01_1"],
             ["ontop", "agent.n.01_1", "floor.n.01_2"]],
    "goal": [["ontop", "?bottle__of__rum.n.01_1", "?breakfast_table.n.01_1"],
             ["inside", "?smock.n.01_1", "?cabinet.n.01_1"], ["inside", "?smock.n.01_2", "?cabinet.n.01_1"],
             ["not", ["open", "?cabinet.n.01_1"]]],
}


def write_package(folder: Path) -> Path:
    """An interpreter that has it."""
    package = folder / "theirs" / "bddl"
    package.mkdir(parents=True)
    for name, text in _MODULES.items():
        (package / name).write_text(text)
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{package.parent}" exec "{sys.executable}" "$@"\n')
    script.chmod(0o755)
    return script


def write_activity(file: Path, **changed: object) -> str:
    """`ACTIVITY`, some of it replaced."""
    file.write_text(json.dumps(ACTIVITY | changed))
    return str(file)


def as_read(name: str = "shelve", **changed: object) -> dict:
    """What the package's reader makes of `ACTIVITY`."""
    above = {"smock.n.01": ["shirt.n.01", "garment.n.01"]}
    kinds = {synset: {"above": above.get(synset, []), "abilities": ["substance"] if "broth" in synset else []}
             for synset in ACTIVITY["objects"]}
    rooms = {fact[1]: fact[2] for fact in ACTIVITY["init"] if fact[0] == "inroom"}
    return {"name": name, "rooms": rooms, "kinds": kinds, **ACTIVITY} | changed
