"""``dadu train interpreter``, from a folder of sentences to a file of weights, and from that to figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.language.learned.reader import LearnedReader
from dadu.language.learned.sentence import WordVectors
from dadu.language.learned.slots import vocabulary
from dadu.learning.facts import machine
from dadu.learning.interpreter.evaluate import calibration_of, figures, trials
from dadu.learning.interpreter.settings import InterpreterTrainSettings
from dadu.learning.order import TrainOrder, ready
from dadu.learning.sentences.example import Split
from dadu.learning.sentences.store import SentenceFolder

WEIGHTS, CARD = "interpreter.zip", "README.md"
_CALIBRATED_ON = 400
"""sentences of split validation"""


def train(order: TrainOrder[InterpreterTrainSettings], tell: Callable[[str], None]) -> Path:
    """Trains on one folder of sentences, or goes on training, and writes the weights; returns their file.

    Errors: ConfigError for folders and checkpoints that do not fit; MissingExtra without PyTorch.
    """
    ready(order)
    import torch

    from dadu.learning.budget import Budget
    from dadu.learning.interpreter.batches import Sentences
    from dadu.learning.interpreter.export import export
    from dadu.learning.interpreter.losses import losses
    from dadu.learning.interpreter.network import InterpreterNetwork
    from dadu.learning.training import TrainingRun

    place, = order.data
    folder, settings = SentenceFolder(place), order.settings
    if folder.sheet().vocabulary != vocabulary():
        raise ConfigError(f"{place} was made for other frames; make it again with `dadu data sentences`")
    data = Sentences(list(folder.examples("train")), settings)
    if not len(data):
        raise ConfigError(f"{place} holds no sentence to train on; make some with `dadu data sentences`")
    table = torch.from_numpy(data.vectors(WordVectors())).to(order.device)
    network = InterpreterNetwork(settings.network, len(vocabulary()), table.shape[1], settings.dropout)
    run = TrainingRun(order.out, settings, network, lambda batch: losses(network, table, batch), "sentences",
                      device=order.device)
    tell(f"{len(data)} sentences, {len(data.known)} words; begins at step {run.step}")
    run.train(data, Budget(order.hours, order.steps), tell)

    facts = {"vocabulary": list(vocabulary()), "data_seed": folder.sheet().seed, "sentences": len(data),
             "seen": run.seen, "seed": settings.seed, "steps": run.step, "hours": run.hours,
             "machine": f"{machine()}; {run.device}, {torch.get_num_threads()} threads", "parameters": run.parameters}
    path, averaged = order.out / WEIGHTS, run.averaged()
    export(averaged, facts, path)
    kept_out = list(islice(folder.examples("validation"), _CALIBRATED_ON))
    if kept_out:
        export(averaged, {**facts, "calibration": calibration_of(trials(LearnedReader(path), kept_out))}, path)
    tell(f"wrote {path}, {path.stat().st_size / 1e6:.1f} MB"
         + ("" if kept_out else "; no sentence of split validation: it is sure of nothing that was checked"))
    return path


def evaluate(weights: Path, data: Path, out: Path, limit: int = 1000) -> dict[str, object]:
    """Figures on kept-out forms (`test`) and kept-out categories (`names`), `limit` sentences of each; the card goes
    to `out`. Errors: ConfigError for unusable weights, or where there are no such sentences."""
    reader, folder = LearnedReader(weights), SentenceFolder(data)
    found: dict[str, object] = {}
    kept_out: tuple[Split, ...] = ("test", "names")
    for split in kept_out:
        examples = list(islice(folder.examples(split), limit))
        if examples:
            found[split] = figures(trials(reader, examples))
    if not found:
        raise ConfigError(f"{data} holds no kept-out sentences; make more with `dadu data sentences`")
    out.mkdir(parents=True, exist_ok=True)
    (out / CARD).write_text(card(reader, found))
    return found


def card(reader: LearnedReader, found: dict[str, object]) -> str:
    """For people."""
    facts = {key: value for key, value in reader.card.items() if key != "vocabulary"}
    return ("# Interpreter `learned`: weights\n\nTrained by `dadu train interpreter` on sentences of `dadu data "
            "sentences` alone; see docs/interpreter.md.\n\n- licence: Apache-2.0, as the project's\n"
            + "".join(f"- {key}: {value}\n" for key, value in facts.items())
            + "\nOn sentences of kept-out forms (`test`) and kept-out categories (`names`):\n\n```json\n"
            + f"{json.dumps(found, indent=1)}\n```\n")
