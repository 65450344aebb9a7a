"""Which replies count as valid, and as the right one."""

import json

import pytest

from dadu.learning.planner.judge import judged
from dadu.planner.model.goal.interpreter import load_goal_prompts

SAID = ["Known: desk_0, mug_0, kitchen"]
PICK = '{"reasoning": "it is near", "action": "pick", "arguments": {"object": "mug_0"}}'
MOVE = '{"frames": [{"frame": "move", "what": [{"name": "mug"}]}]}'


@pytest.mark.parametrize(("reply", "valid", "exact"), [
    (PICK, True, True),
    (PICK.replace("it is near", "why not"), True, True),
    (PICK.replace("mug_0", "desk_0"), True, False),
    (PICK.replace("mug_0", "cup_3"), False, False),
    (PICK.replace("pick", "juggle"), False, False),
    (PICK.replace('"object": "mug_0"', ""), False, False),
    ('{"reasoning": "x", "action": "explore", "arguments": {"room": "unknown"}}', True, False),
    (PICK[:-3], False, False), ("", False, False), ("[]", False, False),
])
def test_a_step(reply, valid, exact):
    found = judged("react", SAID, reply, PICK)
    assert (found.valid, found.exact) == (valid, exact)


@pytest.mark.parametrize(("reply", "valid", "exact"), [
    (MOVE, True, True),
    ('{"frames": [{"frame": "move", "what": [{"name": "mug"}], "to": []}]}', True, True),
    (MOVE.replace("mug", "cup"), True, False),
    ('{"refuse": "no hands"}', True, False),
    (MOVE.replace("move", "fling"), False, False),
    ('{"frames": []}', False, False), ("{}", False, False), ("null", False, False),
    (MOVE[:-1], False, False),
])
def test_frames(reply, valid, exact):
    found = judged("goal", SAID, reply, MOVE)
    assert (found.valid, found.exact) == (valid, exact)


def test_the_words_of_a_refusal_are_no_matter():
    assert judged("goal", SAID, '{"refuse": "cannot"}', '{"refuse": "nobody can"}').exact


def test_the_words_of_a_question_are_no_matter():
    asked = '{"frames": [{"frame": "ask_back", "question": "which?"}]}'
    found = judged("goal", SAID, asked, asked.replace("which", "what do you mean by it"))
    assert found.exact and found.right == "asked"
    assert not judged("goal", SAID, asked, MOVE).exact and not judged("goal", SAID, MOVE, asked).exact


@pytest.mark.parametrize(("protocol", "expected", "right"), [
    ("goal", MOVE, "frames"), ("goal", '{"refuse": "cannot"}', "refused"), ("react", PICK, "pick"),
    ("react", PICK.replace("mug_0", "mug_7"), "untold")])
def test_what_is_right_is_told(protocol, expected, right):
    assert judged(protocol, SAID, "", expected).right == right


def test_the_protocol_asks_for_what_is_judged():
    """The prompt's own example keys."""
    assert all(json.dumps(key) in load_goal_prompts().system for key in ("frames", "refuse"))
