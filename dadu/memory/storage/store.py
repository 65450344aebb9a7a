"""Memory on disk: SQLite with a write-ahead log, so that what was committed survives a process that is killed.

Entities are immutable and replaced when they change; so a save compares identities and writes only what is new.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dadu.memory.association.labels import Votes
from dadu.memory.recall.recall import ShortTermMemory
from dadu.memory.storage.schema import (
    ENTITY,
    UnusableMemory,
    open_database,
    read,
    read_example,
    set_aside,
    written,
    written_look,
)
from dadu.memory.storage.undo import CHANGES, StoredChange
from dadu.memory.teaching import TaughtThing
from dadu.world.graph import Edge, Entity, Relation, WorldGraph
from dadu.world.occupancy import OccupancyMap

_log = logging.getLogger(__name__)


@dataclass
class Contents:
    """All that is kept."""

    graph: WorldGraph = field(default_factory=WorldGraph)
    lost: Mapping[str, Entity] = field(default_factory=dict)
    births: Mapping[str, float] = field(default_factory=dict)
    """by id, when a thing was first seen [s]"""
    votes: Mapping[str, Votes] = field(default_factory=dict)
    """by id, what views have said of a thing"""
    voted: Collection[str] = ()
    """ids whose votes may have changed since the last save"""
    changes: list[StoredChange] = field(default_factory=list)
    """edits that can be taken back, oldest first"""
    occupancy: OccupancyMap | None = None
    revision: int = 0
    examples: Sequence[TaughtThing] = ()
    """of kinds of things, as somebody showed them"""


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
        self._saved_changes: list[StoredChange] = []
        self._saved_map: OccupancyMap | None = None
        self._saved_examples: Sequence[TaughtThing] = ()
        self._vectors: dict[str, np.ndarray] | None = None
        try:
            self._db = open_database(self.path, house)
        except UnusableMemory as error:
            aside = set_aside(self.path)
            self.notice = f"{error}; kept as {aside.name}, memory starts anew"
            _log.warning(self.notice)
            self._db = open_database(self.path, house)

    def load(self) -> Contents:
        """What was kept; empty for a new file."""
        graph, lost, births = WorldGraph(), {}, {}
        for id, gone, born, data in self._db.execute("SELECT id, lost, born, data FROM entity"):
            entity = ENTITY.validate_json(data)
            if gone:
                lost[id] = entity
            else:
                graph.put(entity)
            if born is not None:
                births[id] = born
            self._saved[id] = entity, bool(gone)
        revision, changes = self._db.execute("SELECT revision, changes FROM house").fetchone()
        rows = self._db.execute("SELECT subject, relation, object, part FROM edge")
        graph.edges = {Edge(s, Relation(r), o, p) for s, r, o, p in rows}
        self._saved_edges, self._saved_changes = set(graph.edges), CHANGES.validate_json(changes)
        self._saved_map = self._load_map()
        votes = {id: read(text, look) for id, text, look in self._db.execute("SELECT id, votes, look FROM evidence")}
        self._saved_examples = tuple(read_example(*row) for row in self._db.execute(
            "SELECT thing, stamp, category, look FROM example ORDER BY rowid"))
        return Contents(graph, lost, births, votes, (), list(self._saved_changes), self._saved_map, revision,
                        self._saved_examples)

    def save(self, contents: Contents) -> int:
        """Writes the difference to the last save in one transaction; how many rows that took."""
        graph = contents.graph
        now = {e.id: (e, False) for e in graph} | {e.id: (e, True) for e in contents.lost.values()}
        edited, mapped = contents.changes != self._saved_changes, contents.occupancy is not self._saved_map
        with self._db:
            changed = [(id, row) for id, row in now.items() if not _same(self._saved.get(id), row)]
            removed = [(id,) for id in self._saved.keys() - now.keys()]
            self._db.executemany(
                "INSERT OR REPLACE INTO entity VALUES (?, ?, ?, ?)",
                [(id, int(lost), contents.births.get(id), ENTITY.dump_json(entity)) for id, (entity, lost) in changed])
            self._db.executemany("DELETE FROM entity WHERE id = ?", removed)
            rows = len(changed) + len(removed) + self._save_edges(graph.edges) + edited + mapped
            self._save_votes({id: contents.votes.get(id) if id in now else None
                              for id in {*contents.voted, *(self._saved.keys() - now.keys())}})
            if edited:
                self._db.execute("UPDATE house SET changes = ?", (CHANGES.dump_json(contents.changes).decode(),))
            if mapped:
                self._save_map(contents.occupancy)
            if contents.examples is not self._saved_examples:
                self._db.execute("DELETE FROM example")
                self._db.executemany("INSERT INTO example VALUES (?, ?, ?, ?)", [
                    (taught.thing, taught.stamp, taught.example.category, written_look(taught.example.look))
                    for taught in contents.examples])
            if rows:
                self._db.execute("UPDATE house SET revision = ?", (contents.revision,))
        self._saved, self._saved_edges = now, set(graph.edges)
        self._saved_changes, self._saved_map = list(contents.changes), contents.occupancy
        self._saved_examples = contents.examples
        return rows

    def _save_edges(self, edges: set[Edge]) -> int:
        """Returns how many rows changed."""
        gone, come = self._saved_edges - edges, edges - self._saved_edges
        self._db.executemany("DELETE FROM edge WHERE subject = ? AND relation = ? AND object = ? AND part = ?",
                             [_row(e) for e in gone])
        self._db.executemany("INSERT OR REPLACE INTO edge VALUES (?, ?, ?, ?)", [_row(e) for e in come])
        return len(gone) + len(come)

    def _save_votes(self, votes: Mapping[str, Votes | None]) -> None:
        """By id; None: there are none any more."""
        self._db.executemany("DELETE FROM evidence WHERE id = ?", [(id,) for id, said in votes.items() if said is None])
        self._db.executemany("INSERT OR REPLACE INTO evidence VALUES (?, ?, ?)",
                             [(id, *written(said)) for id, said in votes.items() if said is not None])

    def keep_vectors(self, short_term: ShortTermMemory) -> None:
        """Gives `short_term` the vectors that are kept, has it compute the others, and keeps those that it needs."""
        name, known = short_term.embedder.name, self._vectors
        if known is None:
            rows = self._db.execute("SELECT text, data FROM vector WHERE embedder = ?", (name,))
            known = self._vectors = {text: np.frombuffer(data, np.float32) for text, data in rows}
        computed = short_term.embed(known)
        stale = known.keys() - short_term.texts
        if not computed and len(stale) <= len(known) / 2:
            return  # texts come and go: not every one is thrown away at once
        with self._db:
            self._db.executemany("DELETE FROM vector WHERE text = ?", [(text,) for text in stale])
            self._db.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)",
                                 ((text, name, v.astype(np.float32).tobytes()) for text, v in computed.items()))
        self._vectors = {t: v for t, v in (known | computed).items() if t not in stale}

    def close(self) -> None:
        self._db.close()

    def _load_map(self) -> OccupancyMap | None:
        row = self._db.execute("SELECT resolution, x, y, rows, cols, data FROM map").fetchone()
        if row is None:
            return None
        resolution, x, y, rows, cols, data = row
        return OccupancyMap(np.frombuffer(data, np.int8).reshape(rows, cols), resolution, (x, y))

    def _save_map(self, map: OccupancyMap | None) -> None:
        self._db.execute("DELETE FROM map")
        if map is not None:
            self._db.execute("INSERT INTO map VALUES (?, ?, ?, ?, ?, ?)",
                             (map.resolution, *map.origin, *map.shape, map.grid.tobytes()))


def _same(a: tuple[Entity, bool] | None, b: tuple[Entity, bool]) -> bool:
    return a is not None and a[0] is b[0] and a[1] == b[1]


def _row(edge: Edge) -> tuple[str, str, str, str]:
    return edge.subject, edge.relation.value, edge.object, edge.part
