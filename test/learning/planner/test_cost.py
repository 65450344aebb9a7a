"""The size of models and what training them asks for, against what is known of them."""

import json

import pytest

from dadu.core.config import load
from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.learning.planner.cost import adapter_parameters, cost, told
from dadu.learning.planner.recipe import estimate
from dadu.learning.planner.settings import PlannerTrainSettings
from dadu.learning.planner.shape import ModelShape, shape_in

LLAMA = {"vocab_size": 128256, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
         "num_key_value_heads": 8, "intermediate_size": 14336}


@pytest.fixture
def recipe():
    return load(PlannerTrainSettings, shared("config", "train", "planner-8b.yaml"))


def test_parameters_are_those_of_the_models_that_are_known(tmp_path, recipe):
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    assert shape_in(tmp_path).parameters == 8_030_261_248  # as its files have it
    assert recipe.shape.parameters == pytest.approx(8_190_735_360, rel=1e-5)  # Qwen3-8B, without the norms of its heads
    assert adapter_parameters(shape_in(tmp_path), recipe) == 41_943_040  # as PEFT counts it, rank 16, all linear layers


def test_the_recipe_fits_where_it_says(recipe):
    def total(method):
        return sum(cost(recipe.shape, recipe, method, lora=True).memory.values())

    assert total("sft") < 24e9 < total("dpo") < 80e9
    assert sum(cost(recipe.shape, recipe, "sft", lora=False).memory.values()) > 80e9


def test_work_is_six_times_parameters_and_tokens_where_all_is_learned():
    shape = ModelShape(vocabulary=4096, width=320, layers=8, heads=5, key_value_heads=5, hidden=864, tied=True)
    settings = PlannerTrainSettings(context=64)
    found = cost(shape, settings, "sft", lora=False)
    assert found.flops == pytest.approx(6 * shape.parameters * found.tokens, rel=0.1)
    twice = cost(shape, settings.model_copy(update={"context": 128}), "sft", lora=False)
    assert twice.memory["logits"] == 2 * found.memory["logits"] and twice.flops > 2 * found.flops
    assert any("hours" in line or " h" in line for line in told(found, 1000))


def test_a_model_of_unknown_size(recipe):
    with pytest.raises(ConfigError, match="shape"):
        estimate("someone/something", PlannerTrainSettings(), "sft", True, 0)
    assert "calculated" in estimate("Qwen/Qwen3-8B", recipe, "sft", True, 0)[0]


def test_a_folder_of_another_kind(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ConfigError, match="config.json"):
        shape_in(tmp_path)
