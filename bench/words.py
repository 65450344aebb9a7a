"""How much there is to read about words: ``python -m bench.words [FOLDER]`` counts, for this checkout or another one,
Python statements of the language package, less what is learned, and of the lexicon, and entries of their data: words,
phrases and lines of the grammar.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Any

import yaml

CODE = ("dadu/language", "dadu/knowledge/lexicon.py")
DATA = ("dadu/language", "dadu/knowledge/lexicon.yaml")


def main() -> None:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    code = sum(statements(path) for path in _files(root, CODE, "py"))
    data = sum(entries(yaml.safe_load(path.read_text())) for path in _files(root, DATA, "yaml"))
    rules = sum(map(lines, _files(root, ("dadu/language",), "lark")))
    sys.stdout.write(f"statements {code}, data entries {data}, lines of grammar {rules}: {code + data + rules}\n")


def statements(path: Path) -> int:
    """Docstrings and imports are none."""
    nodes = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.stmt)]
    said = [n for n in nodes if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)]
    return len(nodes) - len(said) - sum(isinstance(n, (ast.Import, ast.ImportFrom)) for n in nodes)


def entries(data: Any) -> int:
    """Leaves; a key with one value is one entry."""
    if isinstance(data, dict):
        return sum(map(entries, data.values()))
    return sum(map(entries, data)) if isinstance(data, list) else 1


def lines(path: Path) -> int:
    """Less comments and empty ones."""
    return sum(bool(line.partition("//")[0].strip()) for line in path.read_text().splitlines())


def _files(root: Path, places: tuple[str, ...], ending: str) -> list[Path]:
    found = [root / place for place in places]
    files = (f for place in found for f in ([place] if place.is_file() else place.rglob(f"*.{ending}")))
    return sorted(f for f in files if "learned" not in f.parts)


if __name__ == "__main__":
    main()
