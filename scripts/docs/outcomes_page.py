"""The outcomes as tables of the documentation: codes and details with the lines that stand below them in the source."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from dadu.skills import outcome
from dadu.skills.outcome import Code, Detail

HEAD = ("code", "name", "when")


def table() -> list[str]:
    """Lines of Markdown: the codes."""
    said = dict(_described(Code))
    return [_line(HEAD), _line(["---"] * len(HEAD)), *(_line((str(int(c)), c.name, said[c.name])) for c in Code)]


def details() -> list[str]:
    """Lines of Markdown: the details that accompany a code."""
    said = dict(_described(Detail))
    return [_line(("detail", "meaning")), _line(["---"] * 2),
            *(_line((f"`{value}`", said[name])) for name, value in vars(Detail).items() if name in said)]


def _described(cls: type) -> Iterator[tuple[str, str]]:
    """The class's constants, each with the string literal below it, or nothing."""
    tree = ast.parse(inspect.getsource(outcome))
    body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
    for line, below in zip(body, [*body[1:], None]):
        if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Name):
            literal = below.value if isinstance(below, ast.Expr) else None
            yield line.targets[0].id, literal.value if isinstance(literal, ast.Constant) else ""


def _line(cells: tuple[str, ...] | list[str]) -> str:
    return f"| {' | '.join(cells)} |"
