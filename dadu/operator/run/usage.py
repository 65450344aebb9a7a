"""Processor time and memory of each node over a run, from the ``resources.jsonl`` that bring-up writes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class NodeUsage:
    """One node over the whole run."""

    name: str
    cpu_seconds: float
    load: tuple[float, ...]
    """share of one core, sample by sample (about one a second)"""
    rss_peak: float
    """[byte]"""
    starts: int
    """1: never restarted"""

    @property
    def mean_load(self) -> float:
        return sum(self.load) / len(self.load) if self.load else 0.0

    @property
    def peak_load(self) -> float:
        return max(self.load, default=0.0)


def read_usage(path: Path) -> list[NodeUsage]:
    """Every node, busiest first; empty where nothing was written."""
    tracks: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for time, nodes in _samples(path):
        for name, sample in nodes.items():
            tracks.setdefault(name, []).append((time, sample))
    return sorted((_usage(name, track) for name, track in tracks.items()), key=lambda u: -u.cpu_seconds)


def memory_in_all(path: Path) -> float:
    """The most that all nodes took together [byte], what they share counted once; 0 where nothing was written."""
    return max((sum(node["pss"] for node in nodes.values()) for _, nodes in _samples(path)
                if nodes and all("pss" in node for node in nodes.values())), default=0.0)


def _samples(path: Path) -> Iterator[tuple[float, dict[str, Any]]]:
    if not path.exists():
        return
    for line in path.read_text().splitlines():
        try:
            sample = json.loads(line)
        except json.JSONDecodeError:
            continue  # the last line of a run that was killed
        yield sample["time"], sample["nodes"]


def _usage(name: str, track: list[tuple[float, dict[str, Any]]]) -> NodeUsage:
    load, total = [], track[0][1]["cpu"]
    for (t0, a), (t1, b) in zip(track, track[1:]):
        # A restarted process counts its processor time from 0 again.
        used = b["cpu"] - a["cpu"] if a["pid"] == b["pid"] else b["cpu"]
        total += used
        load.append(used / (t1 - t0) if t1 > t0 else 0.0)
    return NodeUsage(name, total, tuple(load), max(s["rss"] for _, s in track), track[-1][1]["starts"])
