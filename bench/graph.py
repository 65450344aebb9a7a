# ruff: noqa: T201 - a bench prints
"""What a run of the whole graph cost, node by node, beside an earlier one.

Run: ``dadu demo``, then ``python bench/graph.py runs/demo-... [runs/BEFORE]``. Processor time and memory are those that
bring-up noted; idle is the lower decile of a node's load. A node's memory is its resident set; in all, what several
nodes share counts once.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from dadu.operator.run.episode import read_episode
from dadu.operator.run.run_info import read_run_info
from dadu.operator.run.usage import NodeUsage, memory_in_all, read_usage


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path, help="folder of a run")
    parser.add_argument("before", type=Path, nargs="?", help="folder of the run to compare with")
    given = parser.parse_args()
    runs = [folder for folder in (given.run, given.before) if folder is not None]
    usages = [{usage.name: usage for usage in read_usage(folder / "resources.jsonl")} for folder in runs]
    for folder in runs:
        print(_overall(folder))
    print(f"{'':14}" + "    processor  median    idle  memory" * len(runs))
    for name in sorted(usages[0], key=lambda n: -usages[0][n].cpu_seconds):
        print(f"{name:14}" + "".join(_row(usage[name]) if name in usage else f"{'-':>37}" for usage in usages))
    print(f"{'all':14}" + "".join(_total(list(u.values()), f) for u, f in zip(usages, runs)))


def _overall(folder: Path) -> str:
    episode, info = read_episode(folder), read_run_info(folder)
    simulated, ready = episode.end - episode.start, info.ready_seconds if info is not None else None
    return (f"{folder.name}: {simulated:.0f} s simulated in {episode.wall_seconds:.0f} s, "
            f"{simulated / episode.wall_seconds:.2f} times real time, ready in {ready or float('nan'):.1f} s")


def _row(usage: NodeUsage) -> str:
    median, idle = np.percentile(usage.load, [50, 10]) if usage.load else (0.0, 0.0)
    return f"{usage.cpu_seconds:11.1f} s {median:7.1%} {idle:7.1%} {usage.rss_peak / 2**20:4.0f} MB"


def _total(usages: list[NodeUsage], folder: Path) -> str:
    memory = memory_in_all(folder / "resources.jsonl")
    return f"{sum(u.cpu_seconds for u in usages):11.1f} s {'':15} {memory / 2**20:5.0f} MB"


if __name__ == "__main__":
    main()
