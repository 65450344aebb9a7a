"""What ends whatever runs, and what does not though it sounds alike."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dadu.language.stopping import means_stop

ORDERS = ["stop", "Stop!", "wait", "Wait, wait!", "cancel that", "cancel that order, please", "halt", "STOP IT NOW",
          "hold on a second", "no, stop what you're doing", "Robot, stop moving!", "never mind", "that's enough",
          "don't move", "please stop everything", "ok stop", "could you stop please?", "forget it", "abort the task",
          "stop right there", "wait a minute", "freeze!"]
OTHERS = ["", "please", "don't stop", "stop the music", "wait in the kitchen", "cancel the alarm", "the task",
          "stop and bring me the apple", "bring me the stop sign", "wait for me in the hall", "hold the apple",
          "leave it on the desk", "go to the kitchen and wait", "it", "halt the dishwasher", "not now", "moving"]


@pytest.mark.parametrize("text", ORDERS)
def test_an_order_to_stop(text):
    assert means_stop(text)


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else(text):
    assert not means_stop(text)


@given(st.sampled_from(ORDERS), st.sampled_from(["please", "now", "robot", "hey"]), st.sampled_from([" ", ", ", "! "]))
def test_courtesies_change_nothing(order, word, between):
    assert means_stop(f"{word}{between}{order}") and means_stop(f"{order}{between}{word}")


@given(st.text())
def test_any_text_is_told(text):
    assert means_stop(text) in (True, False)


def test_no_instruction_of_a_suite_is_one():
    for path in Path(__file__).parents[2].joinpath("config", "suites").glob("*.suite.yaml"):
        for episode in yaml.safe_load(path.read_text())["episodes"]:
            assert not means_stop(episode["instruction"])
