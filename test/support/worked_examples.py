"""Carries out a page of docs as its reader would: blocks of code change a copy of the sources, commands run in it.

The first line of a block of code says, as a comment, what to do with the rest:

    # PATH                          a file of its own, the whole of it
    # PATH, at the end              goes to the end of a file that is there
    # PATH, after: TEXT             goes after the one line that holds TEXT
    # PATH, instead of: TEXT        takes the place of the one line that holds TEXT

A block of `sh` is run and must end with status 0. Every line of a `text` block that follows it must be among the lines
that it printed, in that order.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_COPIED = ("dadu", "docs", "nodes", "config", "maps", "models", "launch", "msg", "scripts", "test", "pyproject.toml")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WHERE = re.compile(r"# (?P<path>[\w./-]+)(?:, (?P<how>at the end|after: |instead of: )(?P<text>.*))?$")


@dataclass(frozen=True)
class Block:
    """A fenced block."""

    language: str
    text: str


def blocks(page: Path, section: str | None = None) -> list[Block]:
    """The page's blocks, or those below its ``## SECTION``; blocks without a language are not carried out."""
    text = page.read_text()
    if section is not None:
        text = re.split(r"^## ", text.split(f"\n## {section}\n")[1], maxsplit=1, flags=re.MULTILINE)[0]
    return [Block(*match) for match in _FENCE.findall(text) if match[0]]


def copy_of_sources(folder: Path) -> Path:
    """A checkout of one's own, with the node package where Python finds it."""
    for name in _COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, folder / name)
    (folder / ".path").mkdir()
    (folder / ".path" / "dadu_nodes").symlink_to(folder / "nodes")
    return folder


def carry_out(blocks: list[Block], tree: Path) -> None:
    """In the order in which they stand. Errors: AssertionError saying which block does not do what the page says."""
    output = ""
    for block in blocks:
        if block.language == "sh":
            output = _run(block.text, tree)
        elif block.language == "text":
            printed = iter(output.splitlines())
            missing = [line for line in block.text.splitlines() if line not in printed]  # `in` goes on from there
            assert not missing, f"not printed, or not in this order: {missing}\n{output}"
        else:
            _edit(block, tree)


def _edit(block: Block, tree: Path) -> None:
    first, _, rest = block.text.partition("\n")
    where = _WHERE.fullmatch(first)
    assert where, f"the block's first line does not say where it goes: {first!r}"
    path, how = tree / where["path"], where["how"]
    if how is None:
        assert not path.exists(), f"{where['path']} is there already"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rest)
        return
    lines = path.read_text().splitlines(keepends=True)
    if how == "at the end":
        path.write_text("".join(lines) + rest)
        return
    places = [i for i, line in enumerate(lines) if where["text"] in line]
    assert len(places) == 1, f"{where['path']}: {len(places)} lines hold {where['text']!r}"
    lines[places[0] + (how == "after: "):places[0] + 1] = [rest]
    path.write_text("".join(lines))


def _run(commands: str, tree: Path) -> str:
    """What they print. Errors: AssertionError with all of it where one fails."""
    environment = {**os.environ, "PYTHONPATH": f"{tree}:{tree / '.path'}",
                   "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120"}
    done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", commands], cwd=tree, env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"status {done.returncode}:\n{commands}\n{done.stdout}"
    return done.stdout
