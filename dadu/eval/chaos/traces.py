"""What a graph leaves in its run directory that must be whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path


def memory_readable(run_dir: Path) -> bool:
    """True if the memory's file is there and sound."""
    path = run_dir / "memory.sqlite"
    try:
        with closing(sqlite3.connect(f"file:{path.absolute()}?mode=ro", uri=True, timeout=5.0)) as database:
            return bool(database.execute("PRAGMA quick_check").fetchone() == ("ok",))
    except sqlite3.Error:
        return False


def tracebacks(run_dir: Path) -> dict[str, int]:
    """By node, how many its log has."""
    logs = sorted((run_dir / "logs").glob("*.log"))
    return {log.stem: log.read_bytes().count(b"Traceback (most recent call last)") for log in logs}


def more(before: Mapping[str, int], now: Mapping[str, int]) -> tuple[str, ...]:
    """Those of which there are more than before."""
    return tuple(sorted(name for name, count in now.items() if count > before.get(name, 0)))
