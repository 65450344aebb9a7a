"""A function tells its story on one screen. How many branches it may have is ruff's C901, see pyproject.toml: fifteen.
A stricter count made helpers of three lines with one caller, which are harder to follow than what they shortened."""

import ast

import pytest

from .import_graph import ROOT

LINES = 60
"""of a function, its docstring left out"""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of its body, those of functions within included."""
    told = function.body[0] if ast.get_docstring(function) is not None else None
    return function.end_lineno - (told.end_lineno if told is not None else function.body[0].lineno - 1)


def too_long(source: str) -> list[str]:
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, FUNCTIONS))
    return [f"{f.name}: {count}" for f in functions if (count := length(f)) > LINES]


def test_functions_fit_on_a_screen():
    files = {str(path.relative_to(ROOT)): too_long(path.read_text())
             for top in ("dadu", "nodes") for path in (ROOT / top).rglob("*.py")}
    assert {name: functions for name, functions in files.items() if functions} == {}


@pytest.mark.parametrize(("body", "count"), [
    ("return 1", 1),
    ('"""What it\n returns."""\n return 1', 1),
    ("a = 1\n\n def g():\n  return a\n return g", 5),
])
def test_what_counts(body, count):
    assert length(ast.parse(f"def f():\n {body}").body[0]) == count
