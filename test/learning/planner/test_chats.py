"""Reading folders of conversations."""

import json

import pytest

from dadu.core.errors import ConfigError
from dadu.learning.planner.batches import arranged
from dadu.learning.planner.chats import chats, present

TALK = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "{}"}]


def write(folder, name, *lines):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_one_file_or_one_a_home(tmp_path):
    write(tmp_path / "a", "sft/goal.train.jsonl", {"messages": TALK})
    write(tmp_path / "b", "sft/goal.train-7.jsonl", {"messages": TALK, "home": 7})
    write(tmp_path / "b", "sft/goal.test-8.jsonl", {"messages": TALK})
    write(tmp_path / "b", "homes/train-7.json", {})
    folders = [tmp_path / "a", tmp_path / "b"]
    assert len(list(chats(folders, "goal", "train"))) == 2
    assert list(chats(folders, "goal", "test")) == []  # that home is not whole
    assert present(folders, "train") == ("goal",) and present(folders, "validation") == ()


def test_a_line_that_is_none_is_named(tmp_path):
    write(tmp_path, "sft/react.train.jsonl", {"messages": TALK}, {"messages": [{"role": "robot", "content": ""}] * 2})
    with pytest.raises(ConfigError, match=r"react.train.jsonl, line 2: messages.0.role"):
        list(chats([tmp_path], "react", "train"))


def test_batches_are_of_like_length_and_the_order_is_chance():
    lengths = [(7 * i) % 97 for i in range(1003)]
    order = arranged(lengths, 8, seed=1)
    assert sorted(order) == list(range(1003)) and order == arranged(lengths, 8, seed=1) != arranged(lengths, 8, seed=2)
    spreads = [max(found) - min(found) for i in range(0, 800, 8) for found in [[lengths[k] for k in order[i:i + 8]]]]
    assert sum(spreads) / len(spreads) < 5
    assert len({lengths[k] // 20 for k in order[:80]}) > 2
