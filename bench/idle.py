# ruff: noqa: T201 - a bench prints
"""What the graph costs while nobody wants anything of it: processor time of each process, by simulated second.

Run: ``ROS_DOMAIN_ID=42 python bench/idle.py [--seconds 60] [--settle 20] [NAME:=VALUE ...]``, arguments as `dadu up`'s.
Percentages are of one core at real-time pace; on a busy machine, where simulated time passes more slowly, they still
hold, since they count by it. Memory is what the kernel calls PSS: what several processes share counts once.
"""

from __future__ import annotations

import argparse
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from dadu.sim.clock_file import ClockFile

_START = 180.0
"""wall seconds within which a graph is ready"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="simulated seconds that are measured")
    parser.add_argument("--settle", type=float, default=20.0, help="simulated seconds before that")
    parser.add_argument("arguments", nargs="*", help="as of dadu up")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run_dir = Path(folder) / "run"
        graph = subprocess.Popen([sys.executable, "-m", "dadu.cli", "up", f"run_dir:={run_dir}", "console_port:=0",
                                  *given.arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            _await_ready(graph, 1 + sum(word.count(",") for word in given.arguments if word.startswith("robots:=")))
            clock = ClockFile(run_dir / "sim_clock")
            _await_time(clock, clock.read() + given.settle)
            before, begun, wall = _used(graph.pid), clock.read(), time.monotonic()
            _await_time(clock, begun + given.seconds)
            after, simulated, wall = _used(graph.pid), clock.read() - begun, time.monotonic() - wall
        finally:
            graph.send_signal(signal.SIGINT)
            graph.wait(timeout=30)
    print(f"{simulated:.1f} s simulated in {wall:.1f} s")
    rows = {name: (after[name][0] - before[name][0], after[name][1]) for name in after if name in before}
    for name, (cpu, memory) in sorted(rows.items(), key=lambda row: -row[1][0]):
        print(f"{name:20} {cpu / simulated:7.1%} {memory / 2**20:7.0f} MB")
    print(f"{'all':20} {sum(cpu for cpu, _ in rows.values()) / simulated:7.1%} "
          f"{sum(memory for _, memory in rows.values()) / 2**20:7.0f} MB")


def _await_ready(graph: subprocess.Popen[str], robots: int) -> None:
    assert graph.stdout is not None
    end = time.monotonic() + _START
    for line in graph.stdout:
        if re.match(r"\[(\w+/)?ready\] ready", line):
            print(line.strip())
            robots -= 1
        if not robots:
            return
        if time.monotonic() > end:
            break
    raise SystemExit("the graph does not come up")


def _await_time(clock: ClockFile, wanted: float) -> None:
    while clock.read() < wanted:
        time.sleep(0.2)


def _used(supervisor: int) -> dict[str, tuple[float, float]]:
    """Processor time [s] and memory [byte] by node, of several robots' together."""
    top = psutil.Process(supervisor)
    used: dict[str, tuple[float, float]] = {}
    for process in [top, *top.children(recursive=True)]:
        with process.oneshot():
            words = process.cmdline()
            cpu, name = process.cpu_times(), _name(words) if process.pid != supervisor else "supervisor"
            before, memory = used.get(name, (0.0, 0.0))
            used[name] = (before + cpu.user + cpu.system, memory + process.memory_full_info().pss)
    return used


def _name(words: list[str]) -> str:
    """Of the node; one that is started by itself has its module in a line of Python."""
    module = re.search(r"dadu_nodes\.(\w+)", " ".join(words))
    return module[1] if module else "fork server"


if __name__ == "__main__":
    main()
