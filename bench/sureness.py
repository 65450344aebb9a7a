"""What a learned interpreter is worth, by how sure it must be: the curve over the threshold.

``python -m bench.sureness --suites DIR/*-dev.suite.yaml --grammar A --network B``

A and B are folders of ``bench.language``: of interpreter ``grammar``, and of what answers from the threshold on, as
``bench.sureness:LearnedAnyhow`` or ``bench.sureness:BothAnyhow``, which hear the network however unsure it is. Below a
threshold an instruction counts as in A (``--alone``: as refused), from it on as in B. Counts alone are shown, so that
test samples stay unread. The environment variable WEIGHTS names a file in place of the project's weights.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.language import OUTCOMES, Outcome, read_outcomes
from dadu.goals.interpreter import Context
from dadu.house.layout import build_graph
from dadu.planner.both import Both
from dadu.planner.learned import Learned
from dadu.stacks.told import vocabulary_of_house
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

THRESHOLDS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.01)
Key = tuple[str, str]
"""suite and episode"""


class LearnedAnyhow(Learned):
    """Acts on every reading."""

    def __init__(self) -> None:
        super().__init__(_weights(), least=0.0)


class BothAnyhow(Both):
    """Hears the network however unsure it is."""

    def __init__(self) -> None:
        super().__init__(_weights(), sure=0.0)


def _weights() -> Path | None:
    return Path(os.environ["WEIGHTS"]) if "WEIGHTS" in os.environ else None


def main() -> None:
    """Errors: ConfigError for a suite that cannot be read, a folder without results, or without weights."""
    parser = argparse.ArgumentParser(prog="python -m bench.sureness", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", type=Path, required=True)
    parser.add_argument("--grammar", type=Path, required=True, help="folder of a run")
    parser.add_argument("--network", type=Path, required=True, help="folder of a run")
    parser.add_argument("--alone", action="store_true", help="below the threshold the instruction is refused")
    given = parser.parse_args()
    sure = {key: value for path in given.suites for key, value in sureness(path).items()}
    sys.stdout.write(curve(read_outcomes(given.grammar), read_outcomes(given.network), sure, given.alone))


def sureness(path: Path) -> dict[Key, float]:
    """Of each instruction of a suite, how sure the network is of all its reading, 0 to 1; 0 where it reads nothing."""
    learned, (suite, _) = Learned(_weights()), load_suite(path)
    found = {}
    for prepared in prepare_all(suite, path):
        context = Context(build_graph(prepared.house, "layout"), vocabulary_of_house(prepared.house))
        reading = learned.frames(prepared.episode.instruction, context)
        found[suite.suite, prepared.episode.id] = 0.0 if reading is None else reading.sure_of_all
    return found


def curve(below: Sequence[Outcome], above: Sequence[Outcome], sure: Mapping[Key, float], alone: bool) -> str:
    """A line a threshold: how many are heard, and what comes of all."""
    first = {(one.suite, one.id): "refused" if alone else one.outcome for one in below}
    second = {(one.suite, one.id): one.outcome for one in above}
    keys = [key for key in sure if key in first and key in second]
    lines = [f"{'sure':>6}{'heard':>8}" + "".join(f"{outcome:>10}" for outcome in OUTCOMES)]
    for threshold in THRESHOLDS:
        heard = {key for key in keys if sure[key] >= threshold}
        counts = Counter(second[key] if key in heard else first[key] for key in keys)
        lines.append(f"{threshold:>6}{len(heard):>8}" + "".join(f"{counts[outcome]:>10}" for outcome in OUTCOMES))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
