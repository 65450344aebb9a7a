"""``python -m bench.corpora alfred COPY --out DIR``: suites of samples of a corpus; ``python -m bench.corpora written
--out DIR``: of the instructions that come with DaDu. Figures on standard output, no sentence."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from bench.corpora.differs import difference
from bench.corpora.samples import draw, rank
from bench.corpora.written import tasks as written
from dadu.imports.alfred.run import AlfredSentence, demonstrated, import_tasks
from dadu.imports.alfred.source import AlfredTrial, trials_in
from dadu.imports.instructed.suites import write_suite
from dadu.imports.instructed.task import Task
from dadu.imports.partnr.run import tasks_of
from dadu.imports.partnr.source import KINDS, read_instructions
from dadu.imports.report import ImportReport

SEED = 20261122
"""of all samples: drawn once, before anybody had looked"""
COUNT = 300
_TRIALS, _LAYOUTS = "data/json_2.1.0", "gen/layouts"
"""where a copy of ALFRED has its trajectories and the layouts of its scenes"""


def main() -> None:
    """Errors: FileNotFoundError where the copy lacks a file."""
    parser = argparse.ArgumentParser(prog="python -m bench.corpora", description=__doc__)
    parser.add_argument("corpus", choices=("alfred", "partnr", "written"))
    parser.add_argument("copy", type=Path, nargs="?", help="folder of the copy")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--final", action="store_true",
                        help="the last check: what nobody has read; of ALFRED 300 sentences, and the rest")
    parser.add_argument("--more", type=int, default=0, metavar="N",
                        help="further development samples of ALFRED: of other tasks and scenes than all before, as "
                             "long as there are, then of other sentences")
    parser.add_argument("--read", type=Path, help="file with ids of sentences that somebody has read: never in a test")
    given = parser.parse_args()
    if given.corpus == "written":
        _written(given.out, given.seed)
    elif given.copy is None:
        parser.error(f"{given.corpus} needs the folder of a copy")
    elif given.corpus == "alfred":
        _alfred(given.copy, given.out, given.seed, given.final, set(_read_ids(given.read)), given.more)
    else:
        _partnr(given.copy, given.out, given.seed, given.final)


def _alfred(copy: Path, out: Path, seed: int, final: bool, read: Collection[str], more: int) -> None:
    splits = ("valid_unseen",) if final else ("train", "valid_seen")
    trials = [trial for split in splits for trial in read_trials(copy, split)]
    tasks, left_out = judgeable(trials, copy)
    if final:
        order = sorted(tasks, key=lambda task: rank(seed, task.id))  # it has 83 groups
        samples = {"alfred-final": order[:COUNT], "alfred-final-rest": order[COUNT:]}
    else:
        known = {task.group for task in tasks if task.id in read}
        test = draw((task for task in tasks if task.group not in known), COUNT, seed)
        taken = {task.group for task in test}
        rest = [task for task in tasks if task.group not in taken and task.id.startswith("alfred-train")]
        dev = draw(rest, COUNT, seed, read)
        samples = {"alfred-test": test, "alfred-dev": dev}
        samples |= _further(rest, known, dev, seed, more)
    _say(f"sentences: {sum(len(t.sentences) for t in trials)}; left out: "
         f"{sum(left_out.values())} ({', '.join(f'{why} {n}' for why, n in left_out.most_common())})")
    for name, sample in samples.items():
        path = write_suite(name, "crowd workers' descriptions of tasks in ALFRED", sample, out, fit=False)
        kinds = Counter(task.level for task in sample)
        _say(f"{path}: {len(sample)} episodes; {', '.join(f'{k} {n}' for k, n in sorted(kinds.items()))}")


def _further(tasks: Collection[Task], known: Collection[str], dev: Collection[Task], seed: int, more: int
             ) -> dict[str, list[Task]]:
    """Samples of groups that nobody has read, by name; once there are no more of them, of other sentences than those
    that were drawn."""
    taken = {*known, *(task.group for task in dev)}
    left = draw((task for task in tasks if task.group not in taken), COUNT * more, seed)
    drawn = {task.id for task in (*dev, *left)}
    again = (task for task in tasks if task.group not in known and task.id not in drawn)
    left += draw(again, COUNT * more - len(left), seed)
    return {f"alfred-{i + 1}-dev": left[COUNT * i:COUNT * (i + 1)] for i in range(more)}


def _partnr(copy: Path, out: Path, seed: int, final: bool) -> None:
    """By hash every third initial state, with all that is said of it, is development; the file has no more."""
    guiding = [one for one in read_instructions(copy, "val" if final else "train") if one.kind in KINDS]
    tasks, reports = tasks_of(guiding)
    _say("\n".join(ImportReport.of_all(reports, str(copy)).sentences()))
    for kind in KINDS:
        of = [task for task in tasks if task.level == kind]
        dev = {task.id for task in of if int(rank(seed, task.group), 16) % 3 == 0}
        samples = {"final": of} if final else {"test": [t for t in of if t.id not in dev],
                                               "dev": [t for t in of if t.id in dev]}
        for name, sample in samples.items():
            path = write_suite(f"partnr-{kind}-{name}", f"guiding instructions of PARTNR, {kind}", sample[:COUNT], out)
            _say(f"{path}: {len(sample[:COUNT])} episodes")


def _written(out: Path, seed: int) -> None:
    for corpus in written.NAMES:
        about, found, expected = written.halves(corpus, seed)
        for half, tasks in found.items():
            path = write_suite(f"{corpus}-{half}", about, tasks, out, fit=False)
            said = {task.id: expected[task.id] for task in tasks if task.id in expected}
            path.with_name(f"{corpus}-{half}.said.json").write_text(json.dumps(said))
            _say(f"{path}: {len(tasks)} episodes")


def _read_ids(path: Path | None) -> list[str]:
    """Ids of the episodes of a suite, or one a line."""
    return re.findall(r"[\w.-]+-T\d+_\d+_\d+-\d+|partnr-[\w.-]+", path.read_text()) if path else []


def read_trials(copy: Path, split: str) -> list[AlfredTrial]:
    """All demonstrations of a split, in the order of their names. Errors: ConfigError naming the file."""
    return [replace(trial, id=f"{split}-{trial.id}") for _, trial in trials_in(copy / _TRIALS / split)]


def judgeable(trials: list[AlfredTrial], copy: Path) -> tuple[list[Task], Counter[str]]:
    """All sentences that do not plainly differ from their task, in rooms as ``dadu import alfred`` builds them; and how
    many do differ, or have no counterpart here, by reason."""
    said, left_out = [], Counter[str]()
    for trial in trials:
        for i, sentence in enumerate(trial.sentences):
            why = difference(sentence, trial)
            if why:
                left_out[why] += 1
            else:
                said.append(AlfredSentence("alfred", f"alfred-{trial.id}-{i}", trial, sentence.strip()))
    tasks = import_tasks(said, copy / _LAYOUTS, demonstrated(trials)).suites["alfred"]
    if len(tasks) < len(said):
        left_out["no counterpart"] = len(said) - len(tasks)
    return tasks, left_out


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
