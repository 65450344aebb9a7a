"""What is learned of a conversation: the answers, each with its end, and nothing else."""

import pytest
from stand_in_tokenizer import END, START, CharacterTokenizer

from dadu.core.config import load
from dadu.core.paths import shared
from dadu.learning.planner.chats import AnswerPair, Chat
from dadu.learning.planner.encode import NOT_LEARNED, ChatEncoder
from dadu.learning.planner.settings import PlannerTrainSettings
from dadu.planner.model.goal.prompt import load_goal_prompts


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


def test_questions_are_learned_on_demand():
    told = chat("s", "a?", "A").messages
    one, = ChatEncoder(CharacterTokenizer(), 1000).chat(told, questions=True)
    assert one.labels == one.input_ids


def test_another_system_message():
    one, = ChatEncoder(CharacterTokenizer(), 1000, "brief").chat(chat("a long one", "a?", "A").messages)
    assert text(one).startswith(f"{START}system\nbrief{END}") and "long" not in text(one)


@pytest.mark.parametrize(("context", "fits"), [(1000, True), (10, False)])
def test_a_pair(context, fits):
    pair = AnswerPair.model_validate({"prompt": [{"role": "user", "content": "a?"}], "kind": "order",
                                      "chosen": [{"role": "assistant", "content": "A"}],
                                      "rejected": [{"role": "assistant", "content": "no"}]})
    found = ChatEncoder(CharacterTokenizer(), context).pair(pair)
    assert (found is not None) is fits
    if found is not None:
        decode = CharacterTokenizer.decode
        assert decode(found.prompt_ids).endswith(f"{START}assistant\n")
        assert (decode(found.chosen_ids), decode(found.rejected_ids)) == (f"A{END}", f"no{END}")


def test_the_tiny_model_is_served_with_the_words_that_it_learned():
    tiny = load(PlannerTrainSettings, shared("config", "train", "planner-tiny.yaml"))
    prompts = shared("config", "prompts", "goal")
    assert tiny.system == load_goal_prompts(str(prompts / "brief.yaml")).system.strip()
