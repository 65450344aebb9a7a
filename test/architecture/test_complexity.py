"""A function decides little. Ruff's C901 counts branches; here `and`, `or`, comprehensions and conditional expressions
count as well, for a reader has to follow them too."""

import ast

import pytest

from .import_graph import ROOT

LIMIT = 15
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DECISIONS = (ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.Assert, ast.comprehension, ast.match_case)


def complexity(function: ast.AST) -> int:
    """Ways through it, those of functions within included."""
    return 1 + sum(map(decisions, ast.walk(function)))


def decisions(node: ast.AST) -> int:
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    return isinstance(node, DECISIONS) + (len(node.ifs) if isinstance(node, ast.comprehension) else 0)


def too_complex(source: str) -> list[str]:
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, FUNCTIONS))
    return [f"{f.name}: {count}" for f in functions if (count := complexity(f)) > LIMIT]


def test_functions_decide_little():
    files = {str(path.relative_to(ROOT)): too_complex(path.read_text())
             for top in ("dadu", "nodes") for path in (ROOT / top).rglob("*.py")}
    found = {name: functions for name, functions in files.items() if functions}
    assert found == {}


@pytest.mark.parametrize("body, count", [
    ("return 1", 1),
    ("return a and b or c", 3),
    ("return [x for x in y if x if not z]", 4),
    ("if a:\n  return 1\n elif b:\n  return 2", 3),
    ("try:\n  a()\n except E:\n  b if c else d", 3),
])
def test_what_counts(body, count):
    assert complexity(ast.parse(f"def f():\n {body}").body[0]) == count
