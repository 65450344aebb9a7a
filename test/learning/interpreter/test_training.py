"""Training the interpreter: the loss falls, a killed run goes on as it would have, what is exported reads alike."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.learned.reader import LearnedReader
from dadu.language.learned.sentence import KnownNames
from dadu.learning.interpreter.evaluate import ReadSentence, calibration_of, figures
from dadu.learning.interpreter.run import evaluate, train
from dadu.learning.interpreter.settings import InterpreterNetworkSettings, InterpreterTrainSettings
from dadu.learning.order import TrainOrder
from dadu.learning.sentences import store
from dadu.learning.sentences.run import make_sentences

needs_torch = pytest.mark.needs("train")
TINY = InterpreterTrainSettings(
    network=InterpreterNetworkSettings(width=16, heads=2, hidden=16, encoder=1, decoder=1), symbols=400, report=1,
    warm_up=2, average=0.5, rate=1e-2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sentences")
    before, store.SHARD = store.SHARD, 100
    list(make_sentences(path, 100, 2, 1))
    store.SHARD = before
    return path


@needs_torch
def test_the_loss_falls_and_what_is_exported_can_be_used(folder, tmp_path):
    told = []
    path = train(TrainOrder([folder], tmp_path, TINY, steps=30, threads=1), told.append)
    losses = [float(line.split("loss ")[1].split()[0]) for line in told if "loss " in line]
    assert np.mean(losses[-5:]) < 0.8 * np.mean(losses[:3])
    reader = LearnedReader(path)
    assert reader.card["steps"] == 30 and reader.card["sentences"] > 50
    found = reader.read("put the mug on the table", KnownNames(default_vocabulary()))
    assert found is None or found.utterance.frames and 0 <= found.confidence <= 1
    assert evaluate(path, folder, tmp_path / "card", limit=3)["names"]["sentences"] == 3
    assert "kept-out" in (tmp_path / "card" / "README.md").read_text()


@needs_torch
def test_the_file_writes_what_the_network_writes(folder, tmp_path):
    """Step by step, keys kept, in half precision: the same scores as all at once."""
    import torch

    from dadu.language.learned.sentence import WordVectors
    from dadu.language.learned.slots import vocabulary
    from dadu.learning.interpreter.batches import Sentences
    from dadu.learning.interpreter.export import export
    from dadu.learning.interpreter.losses import forward
    from dadu.learning.interpreter.network import InterpreterNetwork
    from dadu.learning.sentences.example import example

    torch.manual_seed(0)
    one = example(5, 1)
    data = Sentences([one], TINY)
    table = data.vectors(WordVectors())
    network = InterpreterNetwork(TINY.network, len(vocabulary()), table.shape[1]).eval()
    tensors = {name: torch.from_numpy(value) for name, value in vars(data.batch([0], [False])).items()}
    with torch.no_grad():
        whole = forward(network, torch.from_numpy(table), tensors).log_softmax(-1)[0].numpy()
    path = tmp_path / "x.zip"
    export(network, {"vocabulary": list(vocabulary())}, path)
    reader = LearnedReader(path)
    words = one.text.split()
    reader._scorer.begin(reader._vectors.vectors(words), KnownNames(default_vocabulary()).marks(words))
    steps = [reader._scorer.scores(symbol) for symbol in (-1, *one.symbols[:-1])]
    np.testing.assert_allclose(np.stack(steps), whole, atol=0.02)


@needs_torch
def test_a_run_that_was_killed_goes_on_as_it_would_have(folder, tmp_path):
    import torch

    class Killed(BaseException):
        pass

    def tell(line):
        if "step 3," in line:
            raise Killed

    plain = TINY.model_copy(update={"dropout": 0.0})  # whose chance a checkpoint does not keep
    often = plain.model_copy(update={"checkpoint_minutes": 1e-9})
    train(TrainOrder([folder], tmp_path / "whole", plain, steps=6, threads=1), lambda line: None)
    with pytest.raises(Killed):
        train(TrainOrder([folder], tmp_path / "parts", often, steps=6, threads=1), tell)
    told = []
    train(TrainOrder([folder], tmp_path / "parts", often, steps=6, threads=1), told.append)
    assert any("begins at step 2" in line for line in told)
    one, other = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True)["average"]
                  for name in ("whole", "parts"))
    for name, value in one.items():
        torch.testing.assert_close(value, other[name])


@needs_torch
def test_a_folder_without_sentences(tmp_path):
    with pytest.raises(ConfigError, match="dadu data sentences"):
        train(TrainOrder([tmp_path], tmp_path / "out", TINY, steps=1), lambda line: None)


def test_sureness_is_learned_from_what_was_right():
    rng = np.random.default_rng(0)
    scores = -rng.random(400)
    right = [bool(s > -0.3 + 0.1 * rng.standard_normal()) for s in scores]
    slope, offset = calibration_of([ReadSentence(r, s, 0.0, 0.0) for r, s in zip(right, scores, strict=True)])
    sure = 1 / (1 + np.exp(-(slope * np.array([-0.05, -0.9]) + offset)))
    assert sure[0] > 0.8 and sure[1] < 0.2


def test_figures_over_the_threshold():
    found = figures([ReadSentence(True, -0.1, 0.95, 0.01), ReadSentence(False, -0.5, 0.6, 0.01),
                     ReadSentence(False, -2.0, 0.1, 0.02)])
    assert found["right"] == 0.333 and found["thresholds"]["0.9"] == {"sure": 0.333, "right": 1.0}
    assert found["thresholds"]["0.98"] == {"sure": 0.0, "right": None}
