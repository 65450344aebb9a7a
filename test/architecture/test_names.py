"""A public class has a name of its own: a reader who meets it anywhere knows which is meant."""

import ast
from collections import defaultdict

from .import_graph import ROOT


def test_public_classes_have_names_of_their_own():
    places = defaultdict(list)
    for path in (path for top in ("dadu", "nodes") for path in sorted((ROOT / top).rglob("*.py"))):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
