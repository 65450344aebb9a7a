"""Training a planner: a tiny model, killed and gone on with, whole and as adapter."""

import json
import os
import signal
from dataclasses import replace

import numpy as np
import pytest

from dadu.core.config import load, save
from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.learning.planner.batches import PADDED, TokenBatches
from dadu.learning.planner.encode import NOT_LEARNED
from dadu.learning.planner.recipe import PlannerRecipe
from dadu.learning.planner.settings import LoraSettings, MethodSettings, PlannerTrainSettings
from dadu.learning.recipe.order import EvaluationOrder, TrainOrder
from dadu.learning.recipe.stopping import Stopped

needs_libraries = pytest.mark.needs("train_planner")
THINGS, PLACES = ("mug", "apple", "book"), ("table_0", "desk_0")
TINY = PlannerTrainSettings(
    context=200, report=1, precision="float32", lora=LoraSettings(rank=2),
    sft=MethodSettings(rate=1e-2, batch=4, batch_at_once=2, warm_up=1))


def conversation(thing, place):
    return [{"role": "system", "content": "Say what."}, {"role": "user", "content": f"put the {thing} on {place}"}]


def answer(thing, place):
    return {"role": "assistant", "content": json.dumps({"frames": [{"what": thing, "to": place}]})}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from tiny_planner import make_tiny

    path = tmp_path_factory.mktemp("plans")
    make_tiny(path / "base")
    (path / "sft").mkdir()
    cases = [(t, p) for t in THINGS for p in PLACES] * 4
    for split in ("train", "test"):
        (path / "sft" / f"goal.{split}.jsonl").write_text("".join(
            json.dumps({"messages": [*conversation(t, p), answer(t, p)]}) + "\n" for t, p in cases))
    return path


def train(folder, out, steps, tell=lambda line: None, settings=TINY, **options):
    recipe = PlannerRecipe(**{"base": str(folder / "base"), **options})
    return recipe.train(TrainOrder([folder], out, settings, steps=steps, threads=1), tell)


def losses(out):
    return [json.loads(line)["loss"] for line in (out / "progress.jsonl").read_text().splitlines()]


def weights(folder):
    from safetensors.torch import load_file

    return load_file(next(folder.glob("*.safetensors")))


@pytest.fixture(scope="module")
def taught(folder, tmp_path_factory):
    """A run of SFT."""
    out = tmp_path_factory.mktemp("sft")
    train(folder, out, 25)
    return out


@needs_libraries
def test_the_loss_falls_and_what_is_written_can_be_loaded(taught):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    found = losses(taught)
    assert sum(found[-3:]) < 0.6 * sum(found[:3])
    tokenizer = AutoTokenizer.from_pretrained(taught / "model")
    ids = tokenizer.apply_chat_template(conversation("mug", "desk_0"), add_generation_prompt=True, return_tensors="pt")
    model = AutoModelForCausalLM.from_pretrained(taught / "model")
    assert model.config.model_type == "llama" and model.generate(**ids, max_new_tokens=3).shape[0] == 1
    assert json.loads((taught / "training.json").read_text())["steps"] == 25


@needs_libraries
def test_a_run_that_was_killed_goes_on_as_it_would_have(folder, taught, tmp_path):
    import torch

    class Killed(BaseException):
        pass

    def tell(line):
        if "step 4," in line:
            raise Killed

    often = TINY.model_copy(update={"checkpoint_minutes": 1e-9})
    with pytest.raises(Killed):
        train(folder, tmp_path, 25, tell, often)
    (tmp_path / "checkpoint.pt.partial").write_bytes(b"one that was cut off")
    told = []
    train(folder, tmp_path, 25, told.append, often)
    assert any("begins at step 3" in line for line in told)
    one, other = weights(taught / "model"), weights(tmp_path / "model")
    for name, value in one.items():
        torch.testing.assert_close(value, other[name])


@needs_libraries
def test_ctrl_c_keeps_the_step(folder, tmp_path):
    def tell(line):
        if "step 3," in line:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(Stopped, match="SIGINT: stopped after step 4"):
        train(folder, tmp_path, 50, tell)
    told = []
    train(folder, tmp_path, 5, told.append)
    assert any("begins at step 4" in line for line in told)


@needs_libraries
def test_a_run_that_has_ended_takes_no_further_step(folder, tmp_path):
    path = train(folder, tmp_path, 3)
    before, lines = weights(path), (tmp_path / "progress.jsonl").read_text()
    told = []
    assert train(folder, tmp_path, 3, told.append) == path
    assert "begins at step 3" in told[0] and (tmp_path / "progress.jsonl").read_text() == lines
    assert json.loads((tmp_path / "training.json").read_text())["steps"] == 3
    assert all((value == before[name]).all() for name, value in weights(path).items())


@needs_libraries
def test_an_adapter_is_trained_on_and_merged(folder, taught, tmp_path):
    import torch

    first, second = tmp_path / "first", tmp_path / "second"
    train(folder, first, 4, base=str(taught), lora=True)
    told = json.loads((first / "adapter" / "adapter_config.json").read_text())
    assert told["r"] == 2 and told["base_model_name_or_path"] == str(taught / "model")
    assert not (first / "model").exists()
    train(folder, second, 4, base=str(first), lora=True, merge=True)
    assert sorted(p.name for p in (second / "adapter").glob("*.safetensors")) == ["adapter_model.safetensors"]
    before, after = weights(taught / "model"), weights(second / "model")
    assert set(before) == set(after)
    assert not torch.equal(before["model.layers.0.mlp.up_proj.weight"], after["model.layers.0.mlp.up_proj.weight"])


@needs_libraries
def test_figures_of_a_model_on_what_was_kept_out(folder, taught, tmp_path):
    asked = EvaluationOrder(taught, [folder], taught, TINY, limit=4, threads=1)
    found = PlannerRecipe().evaluate(asked, lambda line: None)
    assert found["goal"]["answers"] == 4
    assert 0 <= found["goal"]["exact"] <= found["goal"]["valid"] <= 1
    assert json.loads((taught / "evaluation.json").read_text()) == {"split": "test", **found}
    with pytest.raises(ConfigError, match="split validation"):
        PlannerRecipe(protocol=("goal",)).evaluate(replace(asked, split="validation"), lambda line: None)


@needs_libraries
@pytest.mark.parametrize(("base", "why"), [("runs/none/model", "no such folder"), (".", "holds no model")])
def test_a_model_that_is_not_there(base, why, tmp_path, monkeypatch):
    from dadu.learning.planner.base import tokenizer_of
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=why):
        tokenizer_of(base)


def test_batches_are_of_few_lengths():
    """A CPU keeps buffers for each; what fills them up is not learned, nor looked at."""
    examples = [{"input_ids": np.full(n, 5), "labels": np.full(n, 6)} for n in (3, PADDED + 1)]
    made = TokenBatches(examples, 2, 0, pad=0).make(7)
    assert made.ids.shape == made.labels.shape == made.mask.shape == (2, 2 * PADDED)
    assert made.ids.sum() == 5 * (PADDED + 4) and made.mask.sum() == PADDED + 4
    assert (made.labels == 6).sum() == PADDED + 4 and (made.labels == NOT_LEARNED).sum() == 3 * PADDED - 4
    assert made.token.tolist() == pytest.approx([1 / (PADDED + 2)] * 2)  # the first of each follows nothing


@needs_libraries
def test_another_run_in_the_folder(folder, taught):
    with pytest.raises(ConfigError, match="other lora"):
        train(folder, taught, 30, lora=True)


@needs_libraries
def test_a_run_of_an_earlier_version_is_refused_in_a_sentence(folder, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    with pytest.raises(ConfigError, match="earlier version.*choose another --out"):
        train(folder, tmp_path, 3)


@needs_libraries
def test_a_folder_without_conversations(tmp_path):
    with pytest.raises(ConfigError, match="dadu data plans"):
        train(tmp_path, tmp_path / "out", 1)


def test_each_base_is_trained_by_its_own_recipe_or_none(tmp_path):
    small, large = (load(PlannerTrainSettings, shared("config", "train", f"planner-{name}.yaml"))
                    for name in ("135m", "8b"))
    assert PlannerRecipe().settings() == small
    assert PlannerRecipe(base="Qwen/Qwen3-8B", lora=True).settings() == large
    with pytest.raises(ConfigError, match="Qwen/Qwen3-14B.*--settings.*planner-8b.yaml for Qwen/Qwen3-8B"):
        PlannerRecipe(base="Qwen/Qwen3-14B", lora=True).settings()
    (tmp_path / "model").mkdir()
    with pytest.raises(ConfigError, match="--settings"):
        PlannerRecipe(base=str(tmp_path / "model")).settings()
    save(TINY, tmp_path / "config.yaml")
    for base in (tmp_path, tmp_path / "model"):
        assert PlannerRecipe(base=str(base)).settings() == TINY == PlannerRecipe().settings(base)
