"""The database that memory is kept in: its tables, versions, and the check of a file before it is trusted."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from dadu.core.errors import DaduError
from dadu.memory.association.labels import Votes
from dadu.memory.storage.undo import CHANGES
from dadu.memory.teaching import TaughtThing
from dadu.world.detection import Exemplar
from dadu.world.graph import Entity, Relation

VERSION = 4
"""of the schema, in SQLite's ``user_version``"""

_TABLES = """
CREATE TABLE house (name TEXT NOT NULL, revision INTEGER NOT NULL);
CREATE TABLE entity (id TEXT PRIMARY KEY, lost INTEGER NOT NULL, born REAL, data TEXT NOT NULL);
CREATE TABLE edge (subject TEXT, relation TEXT, object TEXT, part TEXT, PRIMARY KEY (subject, relation, object, part));
"""
_SECOND = """
ALTER TABLE house ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';
CREATE TABLE map (resolution REAL, x REAL, y REAL, rows INTEGER, cols INTEGER, data BLOB);
CREATE TABLE vector (text TEXT PRIMARY KEY, embedder TEXT NOT NULL, data BLOB NOT NULL);
"""
_THIRD = """
CREATE TABLE evidence (id TEXT PRIMARY KEY, votes TEXT NOT NULL, look BLOB NOT NULL);
"""
_FOURTH = """
CREATE TABLE example (thing TEXT NOT NULL, stamp REAL NOT NULL, category TEXT NOT NULL, look BLOB NOT NULL);
"""
_STEPS = (_TABLES, _SECOND, _THIRD, _FOURTH)
"""what takes a file of version N to N + 1"""

ENTITY = TypeAdapter(Entity)


class UnusableMemory(DaduError):
    """A file that is no memory of this version and house. It is set aside, never overwritten."""


def open_database(path: Path, house: str) -> sqlite3.Connection:
    """Opens the memory of `house`, made or brought to this version where needed. Errors: UnusableMemory."""
    db = sqlite3.connect(path, timeout=5.0, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        version = db.execute("PRAGMA user_version").fetchone()[0]
        fresh = version == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if not fresh:
            if not 1 <= version <= VERSION:
                raise UnusableMemory(f"{path} has memory format {version}; this version reads 1 to {VERSION}")
            if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise UnusableMemory(f"{path} is damaged ({found})")
            row = db.execute("SELECT name FROM house").fetchone()
            if row is None or (house and row[0] != house):
                raise UnusableMemory(f"{path} remembers house {row[0] if row else ''!r}, not {house!r}")
        if version < VERSION:
            _migrate(db, version, house if fresh else None)
        _check_entries(db, path)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter where SQLite quotes what is damaged
        db.close()
        raise UnusableMemory(f"{path} is no readable memory ({error})") from None
    except UnusableMemory:
        db.close()
        raise
    db.isolation_level = "IMMEDIATE"
    return db


def set_aside(path: Path) -> Path:
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


def _migrate(db: sqlite3.Connection, version: int, house: str | None) -> None:
    """All steps in one transaction: a process killed halfway leaves the file as it was."""
    script = "".join(_STEPS[version:])
    if house is not None:
        script += f"INSERT INTO house (name, revision) VALUES ({_quoted(house)}, 0);"
    try:
        db.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {VERSION}; COMMIT;")
    except sqlite3.DatabaseError:
        if db.in_transaction:
            db.rollback()
        raise


def _quoted(text: str) -> str:
    """A string literal of SQL; scripts take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def _check_entries(db: sqlite3.Connection, path: Path) -> None:
    """Errors: UnusableMemory where an entry does not parse."""
    try:
        for (data,) in db.execute("SELECT data FROM entity"):
            ENTITY.validate_json(data)
        for (relation,) in db.execute("SELECT DISTINCT relation FROM edge"):
            Relation(relation)
        CHANGES.validate_json(db.execute("SELECT changes FROM house").fetchone()[0])
        for votes, look in db.execute("SELECT votes, look FROM evidence"):
            read(votes, look)
        for row in db.execute("SELECT thing, stamp, category, look FROM example"):
            read_example(*row)
        for rows, cols, size in db.execute("SELECT rows, cols, length(data) FROM map"):
            if rows * cols != size or rows < 1:
                raise ValueError(f"a map of {rows} x {cols} cells holds {size} bytes")
    except (ValidationError, ValueError) as error:
        raise UnusableMemory(f"{path} holds an entry that cannot be read ({str(error).splitlines()[0]})") from None


def written(votes: Votes) -> tuple[str, bytes]:
    """JSON, and the sum of embeddings; empty where there is none."""
    views = [[list(view), pictures, said] for view, (pictures, said) in votes.views.items()]
    look = b"" if votes.look is None else written_look(votes.look)
    return json.dumps({"prior": votes.prior, "views": views, "shown": votes.shown, "said": votes.said}), look


def read(text: str, look: bytes) -> Votes:
    """From what `written` made. Errors: ValueError."""
    try:
        said = json.loads(text)
        views = {(int(a), int(b), int(c)): (int(pictures), {str(label): float(n) for label, n in scores.items()})
                 for (a, b, c), pictures, scores in said["views"]}
        shown, told = int(said["shown"]), str(said.get("said", ""))
        prior = {str(label): float(n) for label, n in said["prior"].items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"votes {text[:60]!r}: {error!r}") from None
    if any(pictures < 1 for pictures, _ in views.values()):
        raise ValueError("a view of no picture")
    return Votes(prior, views, _look(look) if look else None, shown, told)


def read_example(thing: str, stamp: float, category: str, look: bytes) -> TaughtThing:
    """Of a look that `written_look` made. Errors: ValueError."""
    try:
        vector, time = _look(look), float(stamp)
    except TypeError as error:
        raise ValueError(f"no example of {category!r}: {error}") from None
    if not (category and vector.size and np.isfinite(vector).all() and np.isfinite(time)):
        raise ValueError(f"no example of {category!r}")
    return TaughtThing(thing, time, Exemplar(category, vector))


def written_look(look: np.ndarray) -> bytes:
    """float32 (D,), little-endian."""
    return look.astype("<f4").tobytes()


def _look(data: bytes) -> np.ndarray:
    """float32 (D,). Errors: ValueError."""
    return np.frombuffer(data, "<f4").astype(np.float32)
