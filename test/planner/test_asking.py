"""Where the words are not clear: what is asked, what an answer means, how often, and what comes of it."""

import pytest
from stand_in_server import action

from dadu.goals.goal import Goal, Proposition, Term
from dadu.goals.interpreter import AskBack, Choice, Context, Refused
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.planner.asking.answers import meanings, substitute_name, withdraws
from dadu.planner.asking.dialogue import MOST, which_one
from dadu.planner.asking.question import CHOOSER, LONGEST, NOBODY, is_question, outcome, scripted
from dadu.planner.grammar import Grammar
from dadu.planner.model.policy import ModelPolicy
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.policies.symbolic import SymbolicPolicy
from dadu.planner.settings import ModelSettings
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack

RED, BLUE = Choice("mug_0 (red, on desk_0)", "take mug_0"), Choice("mug_1 (blue, on shelf_0)", "take mug_1")
WHICH = AskBack("Which one?", (RED, BLUE), ("the mug",))


def carried_out(instruction, *answers, known="all", planner=None):
    """The report, and what was asked."""
    report = OracleStack(load_house("flat"), known=known).do(instruction, planner, answer=scripted(answers))
    return report, [step.call.arguments[0] for step in report.steps if is_question(step.call)]


@pytest.mark.parametrize(("answer", "means"), [
    ("mug_0", "take mug_0"), ("the red one", "take mug_0"), ("The BLUE one, please.", "take mug_1"),
    ("the one on the shelf", "take mug_1"), ("2", "take mug_1"), ("the first one", "take mug_0"),
    ("the last", "take mug_1"), ("mug 1", "take mug_1"), ("the latter", "take mug_1"), ("any of them", "take the mug"),
])
def test_one_of_several_is_chosen_by_name_by_place_or_by_what_tells_it_apart(answer, means):
    assert list(meanings(answer, WHICH, "take the mug")) == [means]


@pytest.mark.parametrize("answer", ["the green one", "on", "yes", "no", "3", "the mug"])
def test_what_fits_none_or_both_is_not_guessed(answer):
    assert not {RED.means, BLUE.means} & set(meanings(answer, WHICH, "take the mug"))


@pytest.mark.parametrize(("answer", "means"), [("yes", ["take mug_0"]), ("Sure!", ["take mug_0"]), ("no", [])])
def test_one_thing_alone_is_asked_with_yes_or_no(answer, means):
    assert list(meanings(answer, AskBack("mug_0?", (RED,)), "take the mug")) == means


@pytest.mark.parametrize(("instruction", "words", "name", "becomes"), [
    ("bring the zork here", "zork", "the lemon", "bring the lemon here"),
    ("bring the zork here", "zork", "lemon", "bring the lemon here"),
    ("Bring my Zork", "zork", "a cup", "Bring a cup"),
    ("bring the old zork", "zork", "the lemon", "bring the old lemon"),
    ("bring zorks", "zork", "lemon", "bring zorks"),
])
def test_a_name_takes_the_place_of_words_under_one_determiner(instruction, words, name, becomes):
    assert substitute_name(instruction, words, name) == becomes


def test_nothing_is_wanted_any_more():
    assert withdraws("Never mind.") and withdraws("don't do it") and not withdraws("the lemon")


def test_an_unheard_of_name_is_asked_for_and_its_answer_taken():
    report, asked = carried_out("bring the zork to the desk", "I mean the lemon, please")
    assert report.success and len(asked) == 1 and asked[0].endswith("what do you mean by 'zork'?")
    assert [s.call.skill for s in report.steps] == ["ask", "go_to", "pick", "go_to", "place"]
    assert report.steps[0].decision.policy == CHOOSER and report.steps[0].outcome.message == "I mean the lemon, please"
    assert "taken as 'bring the lemon to the desk'" in report.summary


def test_words_that_are_not_understood_are_said_in_others():
    report, asked = carried_out("frobnicate the lemon", "put the lemon in the fridge")
    assert report.success and asked[0].endswith("can you say it in other words?")
    assert "is_inside(the lemon, the fridge)" in report.summary


def test_two_names_are_asked_for_one_after_the_other():
    report, asked = carried_out("put the zork and the blick on the desk", "apple_0", "lemon_0")
    assert report.success and ["zork" in asked[0], "blick" in asked[1]] == [True, True]


def test_one_of_two_books_is_asked_for_and_that_one_is_brought():
    for answer, book in (("the red one", "book_1"), ("book_0", "book_0")):
        report, asked = carried_out("bring the book to the desk", answer)
        assert report.success and f"pick({book})" in [str(step.call) for step in report.steps]
        assert asked == ["Which one is the book: book_0 (navy, on shelf_0), or book_1 (red, on shelf_0)?"]


@pytest.mark.parametrize("instruction", ["bring a book to the desk", "bring the two books to the desk",
                                         "bring all the books to the desk", "bring the lemon to the desk"])
def test_what_is_said_of_any_or_of_all_or_of_one_alone_is_not_asked_about(instruction):
    assert carried_out(instruction, "whatever")[1] == []


def test_any_will_do_where_somebody_says_so():
    report, asked = carried_out("bring the book to the desk", "any of them")
    assert report.success and len(asked) == 1


def test_what_is_not_understood_is_asked_once_more_and_then_refused():
    report, asked = carried_out("bring the zork to the desk", "the blorp", "the lemon")
    assert report.success and asked[1].startswith("I do not understand 'the blorp'.") and len(asked) == 2
    report, asked = carried_out("bring the zork to the desk", "the blorp", "the blarp", "the lemon")
    assert len(asked) == 2 and (report.outcome.code, report.outcome.detail) == (Code.UNKNOWN_TARGET, "refused")
    assert "'the blarp' either" in report.summary


def test_never_mind_ends_it():
    report, _ = carried_out("bring the zork to the desk", "never mind")
    assert (report.outcome.code, report.outcome.detail) == (Code.CANCELLED, "refused") and len(report.steps) == 1


def test_where_nobody_answers_it_ends_with_the_question():
    report, asked = carried_out("put the zork and the blick on the desk", "apple_0")
    assert len(asked) == 2 and report.outcome.detail == "asked_back" and "(nobody answered)" in report.summary
    assert report.steps[-1].outcome.code is Code.TIMED_OUT and report.steps[-1].outcome.detail == NOBODY


def test_without_anybody_to_ask_all_is_as_ever():
    report, asked = carried_out("bring the zork to the desk")
    assert report.outcome.detail == "refused" and not report.steps and not asked
    assert carried_out("bring the book to the desk")[0].success


def test_what_other_words_would_not_change_is_refused_at_once():
    report, asked = carried_out("hold the lemon and hold the apple", "the lemon")
    assert report.outcome.detail == "refused" and not asked, report.summary


def test_questions_are_bounded():
    class Endless:
        """Never content: of any two words it knows neither."""

        name = "endless"

        def read(self, instruction, context):
            word = instruction.split()[0]
            return Refused(f"no {word}", (word,), Code.UNKNOWN_TARGET)

    names = [f"w{i}" for i in range(10)]
    report, asked = carried_out(" ".join(names), *(f"{name} again" for name in names[1:]),
                                planner=TaskPlanner(SymbolicPolicy(), Endless()))
    assert len(asked) == MOST and report.outcome.detail == "refused"


def test_a_reading_that_is_chosen_is_the_goal():
    lemon, apple = (Goal((Proposition("is_on_top", Term(n, (f"{n}_0",)), Term("desk", ("desk_0",))),))
                    for n in ("lemon", "apple"))

    class TwoReadings:
        name = "two"

        def read(self, instruction, context):
            return AskBack("the lemon or the apple?", (Choice("the lemon", lemon), Choice("the apple", apple)))

    report, _ = carried_out("x", "the second", planner=TaskPlanner(SymbolicPolicy(), TwoReadings()))
    assert report.success and "pick(apple_0)" in [str(step.call) for step in report.steps]


def test_the_question_names_only_what_is_known():
    graph = build_graph(load_house("flat"), "all")
    goal = Grammar().read("bring the book to the desk", Context(graph, default_vocabulary()))
    assert which_one(goal, "bring the book to the desk", graph, ()) is not None
    assert which_one(goal, "bring the book to the desk", graph, ("the book",)) is None
    graph.remove("book_0")
    assert which_one(goal, "bring the book to the desk", graph, ()) is None


def test_an_answer_is_bounded_and_blanks_are_none():
    assert len(outcome("a" * 5000).message) == LONGEST and outcome(" \n ").detail == NOBODY
    assert outcome("  the\n lemon ").message == "the lemon"


def model(server):
    return TaskPlanner(ModelPolicy(ModelSettings(url=server.url, timeout=30.0, retries=0)), check=Grammar())


def test_a_model_that_understands_for_itself_asks_in_its_own_words_and_hears_the_answer(serve):
    server = serve(action("ask", question="Which fruit?"), action("go_to", target="lemon_0"),
                   action("pick", object="lemon_0"), action("go_to", target="desk_0"),
                   action("place", relation="on", receptacle="desk_0"), action("done"))
    report, asked = carried_out("put the lemon on the desk", "the yellow one", planner=model(server))
    assert report.success and asked == ["Which fruit?"]
    assert "Answered: 'the yellow one'" in report.summary
    first, second = (request["messages"] for request in server.requests[:2])
    assert "ask(question)" in first[0]["content"]
    assert "ANSWERED: the yellow one" in second[-1]["content"]


def test_a_model_whose_question_nobody_answers_goes_on_and_asks_no_more(serve):
    server = serve(action("ask", question="Which fruit?"), action("ask", question="Which?"), action("done"))
    report = OracleStack(load_house("flat"), known="all").do(
        "put the lemon on the desk", model(server), answer=lambda question: None)
    assert not report.success
    assert [step.outcome.code for step in report.steps if is_question(step.call)] == [Code.TIMED_OUT]
    assert "nobody answered" in server.requests[1]["messages"][-1]["content"]
    assert "ask" not in actions(server.requests[1])
    assert "there is no action 'ask'" in server.requests[2]["messages"][-1]["content"]


def test_a_model_has_no_questions_where_nobody_can_be_asked(serve):
    server = serve(action("ask", question="Which fruit?"), action("done"))
    report, asked = carried_out("put the lemon on the desk", planner=model(server))
    assert not report.success and not any(step.outcome.ok for step in report.steps if is_question(step.call))
    assert "ask(question)" not in server.requests[0]["messages"][0]["content"]
    assert "ask" not in actions(server.requests[0])


def test_what_was_answered_stands_under_the_instruction_where_a_conversation_begins_anew(serve):
    server = serve(action("ask", question="Which fruit?"), action("wait"), action("done"))
    forgetful = ModelPolicy(ModelSettings(url=server.url, timeout=30.0, retries=0, memory=False))
    carried_out("put it on the desk", "the lemon", planner=TaskPlanner(forgetful))
    later = server.requests[2]["messages"][1]["content"]
    assert "put it on the desk\nAsked: Which fruit? Answered: 'the lemon'" in later


def actions(request):
    forms = request["response_format"]["json_schema"]["schema"]["anyOf"]
    return {form["properties"]["action"]["enum"][0] for form in forms}
