"""Numbers, quotes, steps, kinds, setting out and topping up; and what is not understood amid what is."""

import pytest
from understood import interpret

from dadu.goals.interpreter import AskBack, Context, Refused
from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.frame import GoFrame, Utterance
from dadu.language.frames.noun import PlacePhrase
from dadu.language.grounding.ground import ground
from dadu.language.refusal import NotSeen, Refusal
from dadu.planner.grammar import Grammar
from dadu.planner.policies.make import make_planner
from dadu.planner.settings import PlannerSettings
from dadu.skills.outcome import Code
from dadu.stacks.oracle import OracleStack

FLAT = build_graph(load_house("flat"), "all")
STORE = build_graph(load_house("store"), "all")


def read(instruction, graph=FLAT, complete=True):
    goal = interpret(instruction, graph, complete=complete)
    return [(p.predicate, "|".join(p.subject.ids), "|".join(p.place.ids) if p.object else "", p.needed)
            for p in goal.propositions], goal


@pytest.mark.parametrize(("said", "plainly"), [
    ("'put the red mug on the desk'", "put the red mug on the desk"),
    ("put the 'red mug' on the ‘desk’", "put the red mug on the desk"),
    ("move both the candle and the vase to the desk, one by one", "move the candle and the vase to the desk"),
    ("Step 1: pick up the candle. Step 2: put it on the desk.", "pick up the candle. then put it on the desk"),
    ("1. pick up the candle 2. put it on the desk", "pick up the candle. then put it on the desk"),
    ("1) pick up the candle 2) put it on the desk", "pick up the candle. then put it on the desk"),
    ("step one, take the vase, step two, put it on the desk", "take the vase. then put it on the desk"),
    ("put the ball on the bed when you're done", "put the ball on the bed"),
    ("put the book that is neither red nor green on the desk", "put the navy book on the desk"),
    ("take hold of the vase and put it on the bed", "take the vase and put it on the bed"),
    ("I'd like to take a bath later, so bring the shampoo to the bathroom", "bring the shampoo to the bathroom"),
    ("get the vase for the party and put it on the bed", "get the vase and put it on the bed"),
    ("tidy up the coffee table and put everything on it onto the shelf",
     "put everything on the coffee table on the shelf"),
    ("if there is no milk in the fridge, put the vase on the desk, otherwise put the milk there",
     "put the milk on the desk"),
    ("if the armchair is empty, put the ball on it", "put the ball on the armchair"),
    ("if the sofa is not empty, put the candle on it", "put the candle on the sofa"),
    ("top the bowl up to two apples", "put two apples in the bowl"),
    ("go fetch the vase and put it on the bed", "fetch the vase and put it on the bed"),
    ("come wash the cup", "wash the cup"),
    ("take the soda can out of the fridge, then take the milk out of there and put it on the counter",
     "take the soda can out of the fridge, then take the milk and put it on the counter"),
    ("do we still have milk in the fridge?", "is there milk in the fridge?"),
    ("could I have the vase on the bed?", "I would like the vase on the bed"),
    ("so that nobody trips over it, put the ball on the bed", "put the ball on the bed"),
    ("put the ball on the bed so that nobody trips over it", "put the ball on the bed"),
    ("bring the water bottle to the sofa, I am thirsty", "bring the water bottle to the sofa"),
    ("put the ball on the bed, oh, and the vase", "put the ball on the bed and the vase"),
    ("set out two books on the desk", "make sure that there are two books on the desk")])
def test_in_other_words(said, plainly):
    (one, first), (two, second) = read(said), read(plainly)
    assert one == two and first.order == second.order


@pytest.mark.parametrize("said", ["put one book on the bed and one book on the sofa",
                                  "put a book on the bed and a book on the sofa"])
def test_the_same_words_at_two_places_mean_two_things(said):
    assert interpret(said, FLAT, complete=True).different == ((0, 1),)
    assert not interpret("put a book on the bed. then put it on the sofa", FLAT, complete=True).different


@pytest.mark.parametrize(("said", "number"), [("put a dozen apples on the bed", 12), ("put seven cups on the bed", 7)])
def test_how_many(said, number):
    graph = build_graph(load_house("flat"), "layout")
    assert interpret(said, graph).propositions[0].number == number
    with pytest.raises(Refusal, match="only"):
        read(said)


def test_nothing_to_do_is_said():
    with pytest.raises(Refusal, match="zero apples"):
        read("put zero apples on the bed")


def test_elsewhere_is_not_where_it_is():
    (found,), _ = read("put the ball somewhere else")
    assert "sofa_0" not in found[2]


def test_so_many_kinds():
    """One of each; those that are known, and no more than there are."""
    found, _ = read("put two kinds of fruit on the desk")
    assert found == [("is_on_top", "apple_0|apple_1", "desk_0", 1), ("is_on_top", "lemon_0", "desk_0", 1)]
    with pytest.raises(Refusal, match="only 2 kinds"):
        read("put three kinds of fruit on the desk")
    with pytest.raises(NotSeen):
        interpret("put two kinds of fruit on the desk", build_graph(load_house("flat"), "layout"))


def test_a_purpose_and_an_order_to_send_it_off():
    for said in ("Give me a fruit rich in potassium, complete its shipment.",
                 "Somebody ordered a fruit rich in potassium, send it out."):
        found, _ = read(said, STORE)
        assert found == [("is_on_top", "banana_0|banana_1", "shipping_shelf", 1)]


def test_set_out_goes_where_one_serves():
    (found,), _ = read("set out two books")
    assert found[0] == "is_on_top" and found[2] in FLAT and found[3] == 2


@pytest.mark.parametrize(("said", "clause", "rest"), [
    ("put the candle on the desk, frobnicate the cup and put the vase on the sofa", "frobnicate the cup",
     "put the candle on the desk. put the vase on the sofa"),
    ("Put the ball on the bed. Bring the unicorn to the desk. Close the fridge.", "bring the unicorn to the desk",
     "put the ball on the bed. close the fridge")])
def test_what_is_not_understood_is_quoted_and_the_rest_asked_about(said, clause, rest):
    """Nothing is done before somebody has agreed; the answer is read as any instruction."""
    context = Context(FLAT, default_vocabulary(), complete=True)
    asked = Grammar().read(said, context)
    assert isinstance(asked, AskBack) and asked.words == (clause,) and clause in asked.message
    (choice,) = asked.choices
    assert choice.means == rest and not isinstance(Grammar().read(rest, context), (AskBack, Refused))


@pytest.mark.parametrize("said", ["if the flux is low, put the cup on the desk", "frobnicate the cup",
                                  "put the ball on the bed and do not touch the flarp"])
def test_what_hangs_on_the_unknown_is_refused_whole(said):
    assert isinstance(Grammar().read(said, Context(FLAT, default_vocabulary(), complete=True)), Refused)


@pytest.mark.parametrize("said", ["do not touch the vase", "if it rains, it pours: put the vase on the bed"])
def test_what_asks_for_nothing_or_hangs_on_the_unknown_is_no_success(said):
    assert isinstance(Grammar().read(said, Context(FLAT, default_vocabulary(), complete=True)), Refused)


@pytest.mark.parametrize(("before", "said", "after"), [
    ("open", "if the fridge is open, close it", "closed"), ("closed", "if the fridge is open, close it", "closed"),
    ("open", "is the fridge closed? if not, close it", "closed"),
    ("closed", "unless the fridge is open, open it", "open")])
def test_whether_a_door_is_open_is_seen_before_anything_is_done_about_it(before, said, after):
    stack = OracleStack(load_house("flat"), known="layout")
    if before == "open":
        stack.disturb("open", target="fridge_0")
    report = stack.do(said, make_planner(PlannerSettings()))
    assert report.success and ("go_to", "fridge_0") in [(s.call.skill, *s.call.arguments) for s in report.steps]
    doors = [value for path, value in stack.truth().parts.items() if path.startswith("fridge_0/")]
    assert any(value > 0.1 for value in doors) is (after == "open")


@pytest.mark.parametrize("place", [PlacePhrase("at", ()), PlacePhrase("at", (), special="usual")])
def test_an_empty_goal_is_refused(place):
    with pytest.raises(Refusal) as refused:
        ground(Utterance((GoFrame(place),)), FLAT, default_vocabulary(), complete=True)
    assert refused.value.code is Code.UNKNOWN_ACTION
