"""One frame of each kind in a known flat, and what it asks for there."""

import pytest
from frames_of import IT, ME, TOGETHER, a, by, every, from_, into, lines, on, some, the, to

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.frames.frame import (
    Ask,
    ChangeFrame,
    EnsureFrame,
    GoFrame,
    IfFrame,
    LeaveFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    SequenceFrame,
    SwapFrame,
    TidyFrame,
    ToldFrame,
    Utterance,
    WishFrame,
)
from dadu.language.frames.noun import PlacePhrase
from dadu.language.grounding.ground import ground
from dadu.language.refusal import Refusal

CASES = {
    "move": ([MoveFrame((the("remote"),), (on(the("bed")),), from_(the("coffee table")))],
             ["is_on_top remote_0 bed_0"]),
    "move two": ([MoveFrame((the("banana"), the("apple")), (on(the("coffee table")),))],
                 ["is_on_top banana_0 coffee_table_0", "is_on_top apple_0 coffee_table_0"]),
    "move so many": ([MoveFrame((some(2, "book"),), (on(the("desk")),))], ["is_on_top book_0|book_1 desk_0 2"]),
    "move and stand together": (
        [MoveFrame((the("candle"), the("vase")), (TOGETHER, on(the("dining table"))))],
        ["is_on_top candle_0 dining_table_0", "is_on_top vase_0 dining_table_0", "is_next_to vase_0 candle_0"]),
    "carried in it": ([MoveFrame((the("bowl", places=(PlacePhrase("with", (the("apple"),)),)),),
                                 (on(the("coffee table")),))],
                      ["is_inside apple_0 bowl_0", "is_on_top bowl_0 coffee_table_0"]),
    "washed first": ([MoveFrame((the("bowl", "clean"),), (on(the("dining table")),))],
                     ["is_clean bowl_0", "is_on_top bowl_0 dining_table_0"]),
    "take": ([MoveFrame((the("candle"),))], ["is_held candle_0"]),
    "to me": ([MoveFrame((the("candle"),), (to(ME),))], ["is_held candle_0", "is_in_room robot living_room"]),
    "to me, two": ([MoveFrame((the("candle"), the("remote")), (to(ME),))],
                   ["is_on_top candle_0 coffee_table_0", "is_on_top remote_0 coffee_table_0"]),
    "swap": ([SwapFrame((the("kettle"), the("remote")))],
             ["is_on_top kettle_0 coffee_table_0", "is_on_top remote_0 counter_0"]),
    "change": ([ChangeFrame((the("mug", "red"),), "clean", into(the("sink")))], ["is_clean mug_0"]),
    "heat in": ([ChangeFrame((the("bread"),), "hot", into(the("microwave")))],
                ["is_inside bread_0 microwave_0", "is_hot bread_0"]),
    "open": ([ChangeFrame((the("fridge"),), "open")], ["is_open fridge_0"]),
    "ensure": ([EnsureFrame(some(2, "book"), on(the("desk")))], ["is_on_top book_0|book_1 desk_0 2"]),
    "find": ([LookFrame("find", the("candle"))], ["is_next_to robot candle_0"]),
    "by lamplight": ([LookFrame("find", a("book"), using=the("lamp"))],
                     ["is_held book_0|book_1", "is_powered_on lamp_0"]),
    "go": ([GoFrame(into(the("kitchen")))], ["is_in_room robot kitchen"]),
    "tidy": ([TidyFrame(on(the("dining table")), clear=True)], ["is_on_top apple_0|banana_0 counter_0 2"]),
    "tidy, less one": ([TidyFrame(on(the("dining table")), clear=True), LeaveFrame((the("apple"),))],
                       ["is_on_top banana_0 counter_0"]),
    "a wish": ([WishFrame("it is dark")], ["is_powered_on floor_lamp_0"]),
    "told": ([ToldFrame(a("milk"), into(the("fridge"))), MoveFrame((IT,), (on(the("desk")),))],
             ["is_on_top milk_0 desk_0"]),
    "remark": ([RemarkFrame("guests are coming"), MoveFrame((the("candle"),), (on(the("desk")),))],
               ["is_on_top candle_0 desk_0"]),
    "if": ([IfFrame(Ask(a("tomato"), into(the("fridge"))), (ChangeFrame((IT,), "sliced"),),
                    (ChangeFrame((the("potato"),), "sliced"),))], ["is_sliced tomato_0"]),
    "next to": ([MoveFrame((the("remote"),), (by(the("candle")),))], ["is_next_to remote_0 candle_0"]),
    "all of them": ([MoveFrame((every("book"),), (on(the("desk")),))], ["is_on_top book_0|book_1 desk_0 2"]),
}


@pytest.fixture(scope="module")
def flat():
    graph = build_graph(load_house("small_flat"), "all")
    return graph, default_vocabulary().extended(graph)


@pytest.mark.parametrize("name", CASES)
def test_it_asks_for(flat, name):
    frames, wanted = CASES[name]
    assert lines(ground(Utterance(tuple(frames)), *flat, complete=True)) == wanted


def test_steps_come_one_after_the_other(flat):
    steps = ((ChangeFrame((the("bread"),), "hot"),), (MoveFrame((IT,), (on(the("desk")),)),),
             (ChangeFrame((the("fridge"),), "closed"),))
    goal = ground(Utterance((SequenceFrame(steps),)), *flat, complete=True)
    assert lines(goal) == ["is_hot bread_0", "is_on_top bread_0 desk_0", "is_closed fridge_0"]
    assert goal.order == ((0, 1), (1, 2))


@pytest.mark.parametrize("frame, says", [
    (MoveFrame((the("unicorn"),), (on(the("desk")),)), "unicorn"),
    (MoveFrame((the("candle"),), (PlacePhrase("under", (the("desk"),)),)), "under"),
    (MoveFrame((the("mug", "green"),), (on(the("desk")),)), "green mug"),
    (ChangeFrame((the("desk"),), "open"), "desk"),
    (RemarkFrame("well"), "nothing is asked for"),
    (WishFrame(""), "what"),
    (WishFrame("make me a sandwich"), "cannot make me a sandwich"),
])
def test_what_cannot_be_meant_is_refused_in_its_words(flat, frame, says):
    with pytest.raises(Refusal, match=says):
        ground(Utterance((frame,)), *flat, complete=True)
