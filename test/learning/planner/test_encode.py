"""What is learned of a conversation: the answers, each with its end, and nothing else."""

import json
from pathlib import Path

import pytest
from stand_in_tokenizer import END, START, CharacterTokenizer

from dadu.core.errors import ConfigError
from dadu.learning.planner.chats import Chat
from dadu.learning.planner.encode import NOT_LEARNED, ChatEncoder
from dadu.learning.planner.tokens import FileEncoder, examples_of

SUPPORT = str(Path(__file__).parents[2] / "support")
"""where other processes find the tokenizer"""


def chat(*texts):
    roles = ["system", *["user", "assistant"] * len(texts)]
    return Chat.model_validate({"messages": [{"role": r, "content": t} for r, t in zip(roles, texts, strict=False)]})


def learned(encoded):
    return CharacterTokenizer.decode([label for label in encoded.labels if label != NOT_LEARNED])


def text(encoded):
    return CharacterTokenizer.decode(encoded.input_ids)


def test_all_answers_of_a_conversation_are_learned_in_one():
    one, = ChatEncoder(CharacterTokenizer(), 1000).chat(chat("be good", "a?", "A", "b?", "B").messages)
    assert learned(one) == f"A{END}B{END}"
    assert text(one) == (f"{START}system\nbe good{END}\n{START}user\na?{END}\n{START}assistant\nA{END}\n"
                         f"{START}user\nb?{END}\n{START}assistant\nB{END}")
    assert all(label in (NOT_LEARNED, token) for label, token in zip(one.labels, one.input_ids, strict=True))


def test_where_the_template_forgets_thoughts_each_answer_is_learned_by_itself():
    first, second = ChatEncoder(CharacterTokenizer(forgets=True), 1000).chat(
        chat("s", "a?", "<hm>A", "b?", "<oh>B").messages)
    assert learned(first) == f"<hm>A{END}" and learned(second) == f"<oh>B{END}"
    assert "<hm>" not in text(second) and "a?" in text(second)


def test_what_exceeds_the_context_is_not_learned():
    told = chat("s", "a?", "A", "b" * 50, "B").messages
    whole, = ChatEncoder(CharacterTokenizer(), 1000).chat(told)
    shorter, = ChatEncoder(CharacterTokenizer(), len(whole.input_ids) - 1).chat(told)
    assert learned(shorter) == f"A{END}" and "bb" not in text(shorter)
    assert list(ChatEncoder(CharacterTokenizer(), 5).chat(told)) == []


def test_many_files_are_read_by_several_processes_and_come_in_order(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", SUPPORT)
    for i in range(12):
        right = {"role": "assistant", "content": chr(ord("A") + i)}
        lines = (json.dumps({"messages": [{"role": "user", "content": said}, right]}) for said in ("a?", "b" * 300))
        (tmp_path / f"{i:02}.jsonl").write_text("\n".join(lines) + "\n")
    paths, encode = sorted(tmp_path.iterdir()), FileEncoder(ChatEncoder(CharacterTokenizer(), 100))
    alone, several = examples_of(paths, encode, 1), examples_of(paths, encode, 2)
    assert [told.tolist() for one in alone[0] for told in one.values()] == \
        [told.tolist() for one in several[0] for told in one.values()]
    assert len(alone[0]) == alone[1] == several[1] == 12


def test_a_line_that_is_none_is_named_from_another_process(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", SUPPORT)
    for i in range(12):
        (tmp_path / f"{i:02}.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match=r"00\.jsonl, line 1: messages"):
        examples_of(sorted(tmp_path.iterdir()), FileEncoder(ChatEncoder(CharacterTokenizer(), 100)), 2)
