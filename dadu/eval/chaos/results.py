"""What came of tasks with faults: a line of JSON each, and a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from dadu.core.errors import ConfigError
from dadu.eval.chaos.task import ChaosTask, FaultKind
from dadu.eval.chaos.verdict import Evidence

FILE = "chaos.jsonl"
TABLE = "table.md"


@dataclass(frozen=True)
class ChaosResult:
    """One line of the file."""

    seed: int
    house: str
    task: ChaosTask
    evidence: Evidence
    broken: tuple[str, ...]
    """promises"""


_RESULT = TypeAdapter(ChaosResult)


def append(folder: Path, result: ChaosResult) -> None:
    """Adds a line, and draws the table anew."""
    with (folder / FILE).open("a") as out:
        out.write(_RESULT.dump_json(result).decode() + "\n")
    (folder / TABLE).write_text(table(read(folder)))


def read(folder: Path, seed: int | None = None, house: str = "") -> list[ChaosResult]:
    """What is there already; a last line that was cut short is left out. Errors: ConfigError for a file that is of
    another `seed` or `house`, where these are given, or no such file at all."""
    path = folder / FILE
    if not path.exists():
        return []
    *lines, rest = path.read_text().split("\n")
    if rest:  # it was being written when the run was ended
        path.write_text("".join(f"{line}\n" for line in lines))
    try:
        found = [_RESULT.validate_json(line) for line in lines]
    except ValueError as error:
        raise ConfigError(f"{path}: no results of dadu chaos: {str(error).splitlines()[0]}") from None
    for result in found:
        if seed is not None and (result.seed, result.house) != (seed, house):
            raise ConfigError(f"{path}: results of seed {result.seed} in {result.house}; give those, or another folder")
    return found


def table(results: Sequence[ChaosResult]) -> str:
    """By kind of fault: how many tasks had one, how many ended well all the same, and what was broken."""
    lines = ["| fault | tasks | succeeded | failed, and said so | cancelled | promises broken |",
             "|---|---|---|---|---|---|"]
    lines += [_row(kind.value, [r for r in results if r.task.has(kind)]) for kind in FaultKind]
    broken = [f"- task {r.task.index}, {json.dumps(r.task.instruction)}: {'; '.join(r.broken)} "
              f"({', '.join(r.evidence.done)})" for r in results if r.broken]
    return "\n".join([*lines, _row("all", results), "", *broken]) + "\n"


def _row(name: str, results: Sequence[ChaosResult]) -> str:
    won = sum(r.evidence.success for r in results)
    cancelled = sum(r.evidence.code == "CANCELLED" for r in results)
    bad = sum(bool(r.broken) for r in results)
    return f"| {name} | {len(results)} | {won} | {len(results) - won - cancelled} | {cancelled} | {bad} |"
