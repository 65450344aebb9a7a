# ruff: noqa: T201 - a bench prints
"""Recall and writing of memory on this machine. Run: python bench/memory.py

Recall over 10,000 units, where a home has some hundreds; the time to embed the query is apart, since it depends on the
encoder.
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: processor time is compared, on a machine in use

import numpy as np

from dadu.knowledge.embedding import LexicalEmbedder
from dadu.memory.memory import Memory
from dadu.memory.recall.recall import ShortTermMemory, Unit
from dadu.world.graph import Edge, Entity, Kind, Relation, WorldGraph

UNITS = 10_000
COLORS = ("red", "blue", "green", "white", "black", "yellow", "orange", "brown")
THINGS = ("mug", "book", "apple", "bottle", "toy", "plate", "remote", "sponge", "vase", "lemon", "can", "bowl")
PLACES = ("table", "shelf", "sofa", "counter", "bed", "desk", "cabinet", "fridge")


def milliseconds(run: Callable[[], object], repeat: int = 50) -> str:
    """Median processor time and median and best wall time of `repeat` calls."""
    wall, processor = [], []
    for _ in range(repeat):
        start = time.perf_counter(), time.process_time()
        run()
        wall.append(1e3 * (time.perf_counter() - start[0]))
        processor.append(1e3 * (time.process_time() - start[1]))
    return f"{np.median(processor):8.2f} ms (wall: median {np.median(wall):.2f}, best {min(wall):.2f})"


class DenseEmbedder:
    """384 numbers a text, as a sentence encoder gives them: a direction for each word, and something of its own."""

    name = "dense"

    def __init__(self) -> None:
        self._rng = np.random.default_rng(0)
        self._words: dict[str, np.ndarray] = {}

    def embed(self, texts) -> np.ndarray:
        """float32 (N, 384), rows of unit length."""
        vectors = 0.5 * self._rng.standard_normal((len(texts), 384))
        for row, text in zip(vectors, texts):
            for word in re.findall(r"[a-z]+|\d+", text):
                if word not in self._words:
                    self._words[word] = self._rng.standard_normal(384)
                row += self._words[word]
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def descriptions() -> list[str]:
    """Distinct ones."""
    rng = np.random.default_rng(0)
    return [f"{COLORS[a]} {THINGS[b]} on {PLACES[c]}_{i % 5000} in room {i % 97}"
            for i, (a, b, c) in enumerate(rng.integers(0, (len(COLORS), len(THINGS), len(PLACES)), (UNITS, 3)))]


def recall(embedder) -> None:
    memory = ShortTermMemory(embedder)
    for i, text in enumerate(descriptions()):
        memory.put(Unit(f"u_{i}", text.split()[1], (0.0, 0.0, 0.0), text), (text.split()[1],))
    start = time.perf_counter()
    memory.recall("red mug on shelf", 5)
    width = embedder.embed(["red mug"]).shape[1]
    print(f"{embedder.name}, {UNITS} units of {width} numbers; made in {time.perf_counter() - start:.1f} s")
    print("  recall of 5                       ", milliseconds(lambda: memory.recall("red mug on shelf", 5)))
    print("  the query's embedding             ", milliseconds(lambda: embedder.embed(["red mug on shelf"])))
    count = iter(range(10**6))
    print("  one unit replaced, then recall    ", milliseconds(lambda: (
        memory.put(Unit("u_7", "mug", (0, 0, 0), f"green mug, sighting {next(count)}")),
        memory.recall("red mug on shelf", 5))))


def whole(path: Path) -> None:
    """The class as a node uses it: a home of 300 things, on disk."""
    graph = WorldGraph([Entity("home", Kind.HOUSE, "house"), Entity("robot", Kind.AGENT, "robot")])
    for i in range(300):
        color, thing = COLORS[i % 8], THINGS[i % 12]
        graph.put(Entity(f"{thing}_{i}", Kind.OBJECT, thing, (i * 0.1, 0, 0), size=(0.1, 0.1, 0.1),
                         attributes={"color": color}))
        graph.edges.add(Edge(f"{thing}_{i}", Relation.ON, f"table_{i % 30}"))
    memory = Memory(graph, path, embedder=LexicalEmbedder)
    ids = [e.id for e in graph.of(Kind.OBJECT)]
    now = [0.0]

    def touch() -> None:
        now[0] += 1
        for id in ids[:20]:
            memory.graph.put(replace(memory.graph[id], stamp=now[0]))
        memory._save()

    print("a home of 300 things\n  20 reconfirmed and written        ", milliseconds(touch))
    print("  recall of 5                       ", milliseconds(lambda: memory.recall("red mug", 5)))
    memory.close()


def main() -> None:
    for embedder in (DenseEmbedder(), LexicalEmbedder()):
        recall(embedder)
    with tempfile.TemporaryDirectory() as folder:
        whole(Path(folder) / "memory.sqlite")


if __name__ == "__main__":
    main()
