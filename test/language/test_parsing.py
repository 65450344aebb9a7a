"""Words to frames: the table of frames.yaml, and what holds of every sentence."""

import json
from pathlib import Path

import pytest
import yaml

from dadu.language.frames.schema import to_json
from dadu.language.parsing.parse import parse
from dadu.language.refusal import Refusal

TABLE = yaml.safe_load(Path(__file__).with_name("frames.yaml").read_text())


def without_text(value):
    """The words as they were said are for messages only, but for a remark's."""
    if isinstance(value, dict):
        return {key: without_text(inner) for key, inner in value.items() if key != "text" or "frame" in value}
    return [without_text(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("sentence", TABLE)
def test_what_sentences_ask_for(sentence):
    try:
        said = without_text(json.loads(to_json(parse(sentence))))["frames"]
    except Refusal as refusal:
        said = {"refused": list(refusal.words)}
    assert said == TABLE[sentence]
