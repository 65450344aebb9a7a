"""Vectors of phrases that come up again and again, such as the names of things: each is computed once on a machine."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import numpy as np

from dadu.core.paths import cached
from dadu.knowledge.embedding import Embedder

_MOST_AT_ONCE = 500
"""variables of one query; SQLite allows 999 at least"""
_COSTLY = ("all-MiniLM-L6-v2",)
"""embedders whose vectors are worth a file"""
_SAID = 256
"""phrases of those that are not kept, of which one is asked for again and again while it is compared"""

_log = logging.getLogger(__name__)


def default_path() -> Path:
    """``dadu/phrases.sqlite`` in the user's folder for what can be computed again."""
    return cached("phrases.sqlite")


class PhraseVectors:
    """An embedder's vectors by phrase; in memory, and where `path` is given in a file that processes share."""

    def __init__(self, embedder: Embedder, path: Path | None) -> None:
        self._embedder, self._path = embedder, path
        self._known: dict[str, np.ndarray] = {}
        self._said = lru_cache(maxsize=_SAID)(lambda phrase: embedder.embed([phrase])[0])

    def of(self, phrases: Sequence[str], keep: bool = True) -> np.ndarray:
        """float32 (N, D), rows of unit length; all that are new are embedded in one batch.

        `keep`: for good; not for what people say, of which there is no end, and of which the newest few are remembered.
        """
        if not keep:
            return np.array([self._known[p] if p in self._known else self._said(p) for p in phrases], np.float32)
        new = sorted(set(phrases) - self._known.keys())
        if new:
            self._known.update(self._read(new))
            new = [phrase for phrase in new if phrase not in self._known]
        if new:
            computed = dict(zip(new, self._embedder.embed(new)))
            self._known.update(computed)
            self._write(computed)
        return np.array([self._known[p] for p in phrases], np.float32)

    def embed_lists(self, lists: Sequence[Sequence[str]]) -> list[np.ndarray]:
        """Of each list, float32 (N, D), rows of unit length. What is new of all of them is embedded in one batch, which
        takes a tenth of the time of one list after the other."""
        self.of([phrase for some in lists for phrase in some])
        return [self.of(some) for some in lists]

    def _read(self, phrases: Sequence[str]) -> dict[str, np.ndarray]:
        if self._path is None or not self._path.exists():
            return {}
        found: dict[str, np.ndarray] = {}
        try:
            with closing(sqlite3.connect(self._path, timeout=1.0)) as db:
                for start in range(0, len(phrases), _MOST_AT_ONCE):
                    some = phrases[start:start + _MOST_AT_ONCE]
                    among = ",".join("?" * len(some))
                    rows = db.execute(f"SELECT phrase, vector FROM vectors WHERE model = ? AND phrase IN ({among})",
                                      [self._embedder.name, *some])
                    found.update({phrase: np.frombuffer(vector, "<f4") for phrase, vector in rows})
        except sqlite3.Error as error:
            self._without_file(error)
        return found

    def _write(self, vectors: dict[str, np.ndarray]) -> None:
        if self._path is None:
            return
        rows = [(self._embedder.name, phrase, vector.astype("<f4").tobytes()) for phrase, vector in vectors.items()]
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=1.0)) as db, db:
                db.execute("CREATE TABLE IF NOT EXISTS vectors (model TEXT, phrase TEXT, vector BLOB, "
                           "PRIMARY KEY (model, phrase)) WITHOUT ROWID")
                db.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError) as error:
            self._without_file(error)

    def _without_file(self, error: Exception) -> None:
        """What cannot be kept is computed by every process itself."""
        _log.info("%s: %s; vectors of phrases are not kept", self._path, error)
        self._path = None


def phrases_of(embedder: Embedder) -> PhraseVectors:
    """The one of this process for embedders of that name."""
    path = default_path() if embedder.name in _COSTLY else None
    return _all.setdefault(embedder.name, PhraseVectors(embedder, path))


_all: dict[str, PhraseVectors] = {}
