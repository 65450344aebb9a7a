"""What an array holds can be read where it is made: a public function that returns one says shape and unit, and the
frame where it is a pose or points."""

import ast
import re

import pytest

from .import_graph import ROOT

SHAPE = re.compile(r"\((?:\d|[A-Z]|n\b|\.\.\.|rows|height)[^()]*,[^()]*\)|\(\.\.\.\)")
"""``(4, 4)``, ``(..., 2)``, ``(H, W)``, ``(n,)``"""
UNIT = re.compile(r"\[[^\]]*\b(?:m|rad|px|cells|N|Nm)\b[^\]]*\]"
                  r"|\b(?:bool|u?int\d*|unitless|cosines|unit (?:length|vectors?))\b")
"""a unit, a type that has none, or that it has none"""
POINTS = re.compile(r"\((?:[^()]*, )?[23],?\)[^.]*\[m\b|\[m\b[^.]*\((?:[^()]*, )?[23],?\)")
"""two or three numbers, and metres in the same sentence"""
POSE = re.compile(r"\(4, 4\)")
FRAME = re.compile(r"\bT_\w+|\b(?:map|odom|base|base_link|frame|Habitat's world)\b")


def lacking(docstring: str) -> list[str]:
    lacks = {"shape": not SHAPE.search(docstring),
             "unit": not (UNIT.search(docstring) or POSE.search(docstring)),  # a pose is in metres: REP 103
             "frame": bool(POINTS.search(docstring) or POSE.search(docstring)) and not FRAME.search(docstring)}
    return [what for what, lacks_it in lacks.items() if lacks_it]


def makers(tree: ast.AST) -> list[ast.FunctionDef]:
    """Public functions and methods that return arrays. A dictionary of arrays says what is in it where it is filled."""
    found = []
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            found += makers(node)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and node.returns is not None:
            if "ndarray" in re.sub(r"dict\[.*\]", "", ast.unparse(node.returns)):
                found.append(node)
    return found


def test_who_returns_an_array_says_what_it_holds():
    said = {f"{path.relative_to(ROOT)}:{f.lineno} {f.name}": lacking(ast.get_docstring(f) or "")
            for path in (ROOT / "dadu").rglob("*.py") for f in makers(ast.parse(path.read_text()))}
    assert len(said) > 50
    assert {name: lacks for name, lacks in said.items() if lacks} == {}


@pytest.mark.parametrize("docstring, lacks", [
    ("", ["shape", "unit"]),
    ("Points of the floor.", ["shape", "unit"]),
    ("The corners (4, 2).", ["unit"]),
    ("The corners [m].", ["shape"]),
    ("The corners (4, 2) [m].", ["frame"]),
    ("Corners (4, 2) [m] in map.", []),
    ("(4, 4) of the hand.", ["frame"]),
    ("T_base_tool (4, 4).", []),
    ("bool (H, W): what is free.", []),
])
def test_what_counts_as_said(docstring, lacks):
    assert lacking(docstring) == lacks
