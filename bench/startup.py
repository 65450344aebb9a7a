"""What it costs to begin to understand: ``python -m bench.startup [PROCESSES]`` reads instructions in fresh processes.

It prints, as medians of processor time, what the imports take, the first instruction, and a later one; then the
modules that took longest to import.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

SENTENCES = ("put the lemon on the desk", "bring me the red book from the bedroom, then close the fridge")
_READ = """
import json, sys, time
start = time.process_time()
from dadu.planner.interpreters import make_interpreter
reader = make_interpreter("grammar")
imported = time.process_time()
from dadu.goals.interpreter import Context
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
context = Context(build_graph(load_house("flat"), "all"), default_vocabulary(), complete=True)
took = [imported - start]
for sentence in json.loads(sys.argv[1]):
    before = time.process_time()
    reader.read(sentence, context)
    took.append(time.process_time() - before)
print(json.dumps(took))
"""
_IMPORTED = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)")
_SLOWEST = 8


def once(folder: str) -> list[float]:
    """Seconds of a fresh process: imports, first instruction, second. What is kept between processes is in `folder`:
    byte code, as where DaDu is installed, and the parser."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPYCACHEPREFIX": folder, "XDG_CACHE_HOME": folder}
    done = subprocess.run([sys.executable, "-c", _READ, json.dumps(SENTENCES)], capture_output=True, text=True,
                          check=True, env=environment)
    took: list[float] = json.loads(done.stdout)
    return took


def slowest() -> list[tuple[str, float]]:
    """Modules by the wall time of their own import [s], which a busy machine stretches."""
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", "import dadu.planner.grammar"],
                          capture_output=True, text=True, check=True)
    own = [(name, int(took) / 1e6) for took, name in _IMPORTED.findall(done.stderr)]
    return sorted(own, key=lambda one: -one[1])[:_SLOWEST]


def _say(which: str, runs: list[list[float]]) -> None:
    imports, first, later = (statistics.median(column) for column in zip(*runs))
    sys.stdout.write(f"{which}: imports {imports:.2f} s, first instruction {1000 * first:.0f} ms, "
                     f"a later one {1000 * later:.0f} ms (processor time, median of {len(runs)} processes)\n")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _say("the first process of all", [once(folder)])
        _say("later ones", [once(folder) for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5)])
    sys.stdout.writelines(f"  {1000 * took:6.0f} ms  {name}\n" for name, took in slowest())


if __name__ == "__main__":
    main()
