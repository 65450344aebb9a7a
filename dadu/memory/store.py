"""Memory on disk: SQLite with a write-ahead log, so that what was committed survives a process that is killed.

Entities are immutable and replaced when they change; so a save compares identities and writes only what is new.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from dadu.errors import DaduError
from dadu.memory.graph import Edge, Entity, Relation, WorldGraph

VERSION = 1
"""of the schema, in SQLite's ``user_version``"""

_SCHEMA = """
CREATE TABLE house (name TEXT NOT NULL, revision INTEGER NOT NULL);
CREATE TABLE entity (id TEXT PRIMARY KEY, lost INTEGER NOT NULL, born REAL, data TEXT NOT NULL);
CREATE TABLE edge (subject TEXT, relation TEXT, object TEXT, part TEXT, PRIMARY KEY (subject, relation, object, part));
"""

_ENTITY = TypeAdapter(Entity)
_log = logging.getLogger(__name__)


class UnusableMemory(DaduError):
    """A file that is no memory of this version and house. It is set aside, never overwritten."""


@dataclass
class Contents:
    """All that is kept."""

    graph: WorldGraph = field(default_factory=WorldGraph)
    lost: dict[str, Entity] = field(default_factory=dict)
    births: dict[str, float] = field(default_factory=dict)
    revision: int = 0


class Store:
    """One database file, opened by one process."""

    def __init__(self, path: str | Path, house: str = "") -> None:
        """Opens or creates the memory of `house`. A file that cannot be used is renamed to ``NAME.unusable-N`` and
        reported in `notice` and the log."""
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.notice = ""
        self._saved: dict[str, tuple[Entity, bool]] = {}
        self._saved_edges: set[Edge] = set()
        try:
            self._db = _open(self.path, house)
        except UnusableMemory as error:
            aside = _set_aside(self.path)
            self.notice = f"{error}; kept as {aside.name}, memory starts anew"
            _log.warning(self.notice)
            self._db = _open(self.path, house)

    def load(self) -> Contents:
        """What was kept; empty for a new file."""
        contents = Contents()
        for id, lost, born, data in self._db.execute("SELECT id, lost, born, data FROM entity"):
            entity = _ENTITY.validate_json(data)
            if lost:
                contents.lost[id] = entity
            else:
                contents.graph.put(entity)
            if born is not None:
                contents.births[id] = born
            self._saved[id] = entity, bool(lost)
        contents.revision = self._db.execute("SELECT revision FROM house").fetchone()[0]
        rows = self._db.execute("SELECT subject, relation, object, part FROM edge")
        contents.graph.edges = {Edge(s, Relation(r), o, p) for s, r, o, p in rows}
        self._saved_edges = set(contents.graph.edges)
        return contents

    def save(self, graph: WorldGraph, lost: Mapping[str, Entity], births: Mapping[str, float],
             revision: int = 0) -> int:
        """Writes the difference to the last save in one transaction; how many rows that took."""
        now = {e.id: (e, False) for e in graph} | {e.id: (e, True) for e in lost.values()}
        changed = [(id, row) for id, row in now.items() if not _same(self._saved.get(id), row)]
        removed = [(id,) for id in self._saved.keys() - now.keys()]
        gone, come = self._saved_edges - graph.edges, graph.edges - self._saved_edges
        if not (changed or removed or gone or come):
            return 0
        with self._db:
            self._db.execute("UPDATE house SET revision = ?", (revision,))
            self._db.executemany(
                "INSERT OR REPLACE INTO entity VALUES (?, ?, ?, ?)",
                [(id, int(is_lost), births.get(id), _ENTITY.dump_json(entity)) for id, (entity, is_lost) in changed])
            self._db.executemany("DELETE FROM entity WHERE id = ?", removed)
            self._db.executemany("DELETE FROM edge WHERE subject = ? AND relation = ? AND object = ? AND part = ?",
                                 [(e.subject, e.relation.value, e.object, e.part) for e in gone])
            self._db.executemany("INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?)",
                                 [(e.subject, e.relation.value, e.object, e.part) for e in come])
        self._saved, self._saved_edges = now, set(graph.edges)
        return len(changed) + len(removed) + len(gone) + len(come)

    def close(self) -> None:
        self._db.close()


def _same(a: tuple[Entity, bool] | None, b: tuple[Entity, bool]) -> bool:
    return a is not None and a[0] is b[0] and a[1] == b[1]


def _open(path: Path, house: str) -> sqlite3.Connection:
    """Errors: UnusableMemory."""
    db = sqlite3.connect(path, timeout=5.0, isolation_level="IMMEDIATE", check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            with db:
                db.executescript(_SCHEMA)
                db.execute("INSERT INTO house VALUES (?, 0)", (house,))
                db.execute(f"PRAGMA user_version = {VERSION}")
        else:
            _check(db, path, version, house)
    except sqlite3.DatabaseError as error:
        db.close()
        raise UnusableMemory(f"{path} is no readable memory ({error})") from None
    except UnusableMemory:
        db.close()
        raise
    return db


def _check(db: sqlite3.Connection, path: Path, version: int, house: str) -> None:
    """Errors: UnusableMemory; sqlite3.DatabaseError where the file is damaged."""
    if version != VERSION:
        raise UnusableMemory(f"{path} has memory format {version}; this version reads {VERSION}")
    if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        raise UnusableMemory(f"{path} is damaged ({found})")
    row = db.execute("SELECT name FROM house").fetchone()
    if row is None or (house and row[0] != house):
        raise UnusableMemory(f"{path} remembers house {row[0] if row else ''!r}, not {house!r}")
    try:
        for (data,) in db.execute("SELECT data FROM entity"):
            _ENTITY.validate_json(data)
        for (relation,) in db.execute("SELECT DISTINCT relation FROM edge"):
            Relation(relation)
    except (ValidationError, ValueError) as error:
        raise UnusableMemory(f"{path} holds an entry that cannot be read ({str(error).splitlines()[0]})") from None


def _set_aside(path: Path) -> Path:
    """Renames the file, with its log files, to the first free ``.unusable-N``."""
    n = 0
    while (aside := path.with_name(f"{path.name}.unusable-{n}")).exists():
        n += 1
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside
