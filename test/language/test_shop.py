"""Instructions in the manner of the papers' tasks, in a shop with a tea kitchen where all is known: what they ask for,
in the notation of test_accepted; what is refused; what is noted."""

from pathlib import Path

import pytest
from understood import interpret

from dadu.house.files import load_house
from dadu.house.layout import build_graph
from dadu.language.refusal import Refusal
from dadu.stacks.offline import plan_offline

from .test_accepted import shown

ACCEPTED = {
    "Grasp a strawberry and put it on toy table.": ["is_on_top strawberry_0 toy_table"],
    "Move to the fruit table.": ["is_next_to robot fruit_table"],
    "Grasp a Pepsi can and place it on the fruit table. Pick up a squirrel toy and place it on the shipping "
    "table. Pick a Sprite can and put it on the fruit table.": [
        "is_on_top pepsi_can_0 fruit_table", "is_on_top toy_squirrel_0|toy_squirrel_1 shipping_table",
        "is_on_top sprite_can_0 fruit_table"],
    "Locate the shark toy and position it on the fruit table. Fetch the bowl and place it on the same fruit table.": [
        "is_on_top toy_shark_0 fruit_table", "is_on_top bowl_0 fruit_table"],
    "Put the blue can drink to shipping table.": ["is_on_top pepsi_can_0 shipping_table"],
    "Sorting the apple, coke from purchase table and send it to the reasonable place.": [
        "is_on_top apple_1|apple_2 fruit_table", "is_on_top coke_can_0 drink_table"],
    "I am hungry, ship me something to eat.": [
        "is_on_top apple_0|apple_1|apple_2|orange_0|strawberry_0 shipping_table"],
    "Completed the receiving of apples.": ["is_on_top apple_1|apple_2 fruit_table 2"],
    "Completed the receiving of all the drink.": ["is_on_top coke_can_0 drink_table"],
    "I need a present for a child": [
        "is_held toy_duck_0|toy_shark_0|toy_squirrel_0|toy_squirrel_1", "is_in_room robot shop"],
    "something to wake me up": [
        "is_held coke_can_0|energy_drink_0|pepsi_can_0", "is_in_room robot shop"],
    "I am thirsty": ["is_held coke_can_0|energy_drink_0|milk_0|pepsi_can_0|sprite_can_0", "is_in_room robot shop"],
    "heat two apples and place them on the dining table": [
        "is_hot apple_0|apple_1|apple_2 2", "is_on_top apple_0|apple_1|apple_2 dining_table_0 2"],
    "put a chilled apple on the counter": [
        "is_cold apple_0|apple_1|apple_2", "is_on_top apple_0|apple_1|apple_2 counter_0"],
    "wash the mug and put it in the cabinet": ["is_clean mug_0", "is_inside mug_0 cabinet_0"],
    "put a plate with a washed fork on it on the dining table": [
        "is_clean fork_0", "is_on_top fork_0 plate_0", "is_on_top plate_0 dining_table_0"],
    "turn the lamp on, then take the milk out of the fridge and close it": [
        "is_powered_on lamp_0", "is_held milk_0", "is_closed fridge_0"],
    "if there is milk in the fridge, put it on the counter, otherwise put the coke there": [
        "is_on_top milk_0 counter_0"],
    "if the fridge is open, close it": [],
    "Take all the fruit from the purchase table and put it on the fruit table, but leave the green apple "
    "where it is": [
        "is_on_top apple_2 fruit_table"],
    "clear the purchase table": ["is_on_top apple_1|apple_2 fruit_table 2", "is_on_top coke_can_0 drink_table"],
    "put everything on the toy table except the shark in the cabinet": [
        "is_inside toy_squirrel_0|toy_squirrel_1 cabinet_0 2"],
    "put the red apple or the orange on the counter": ["is_on_top apple_0|apple_2|orange_0 counter_0"],
    "There is no cup but a mug, how to put a cup on the dining table": ["is_on_top mug_0 dining_table_0"],
    "Is there any milk in the fridge?": ["is_next_to robot fridge_0"],
    "put the mug to the left of the plate": ["is_next_to mug_0 plate_0"],
    "first move the mug, then the plate and finally the fork to the dining table": [
        "is_on_top mug_0 dining_table_0", "is_on_top plate_0 dining_table_0", "is_on_top fork_0 dining_table_0"],
    "every toy should be on the toy table": [
        "is_on_top toy_duck_0|toy_shark_0|toy_squirrel_0|toy_squirrel_1 toy_table 4"],
    "the fridge must stay closed": ["is_closed fridge_0"],
    "I left my mug on the counter. Please put it in the cabinet.": ["is_inside mug_0 cabinet_0"],
    "A customer wants a strawberry, please ship it": ["is_on_top strawberry_0 shipping_table"],
    "My nose is running": ["is_held tissue_box_0", "is_in_room robot shop"],
    "put all apples but the green one in the fridge": ["is_inside apple_0|apple_2 fridge_0 2"],
    "A customer at the purchase table needs a strawberry": ["is_on_top strawberry_0 purchase_table"],
    "My friend is waiting at the dining table for a lime or an orange": ["is_on_top orange_0 dining_table_0"],
    "Put the coke where people look for it": ["is_on_top coke_can_0 drink_table"],
}
REFUSED = {
    "take three strawberries to the counter": "three strawberries",
    "put an apple in every fridge and an orange in every room": "every room",
    "do not open the fridge": "the fridge",
}


@pytest.fixture(scope="module")
def shop():
    return load_house(Path(__file__).parent / "houses" / "shop.house.yaml")


@pytest.fixture(scope="module")
def stocked(shop):
    return build_graph(shop, "all")


@pytest.mark.parametrize("instruction", ACCEPTED)
def test_it_is_understood(stocked, instruction):
    goal = interpret(instruction, stocked, complete=True)
    assert [shown(p) for p in goal.propositions] == ACCEPTED[instruction]


@pytest.mark.parametrize("instruction", [i for i in ACCEPTED if ACCEPTED[i]])
def test_there_is_a_plan(shop, instruction):
    found = plan_offline(instruction, shop, "all")
    assert found["refused"] is None and found["plan"][-1] == ["done"]


@pytest.mark.parametrize("instruction", REFUSED)
def test_it_is_refused(stocked, instruction):
    with pytest.raises(Refusal) as refused:
        interpret(instruction, stocked, complete=True)
    assert refused.value.words[0] == REFUSED[instruction]


@pytest.mark.parametrize(("instruction", "note"), [
    ("put the mug to the left of the plate", "'to the left of' is taken as next to"),
    ("if the fridge is open, close it", "left out"),
    ("Is there any milk in the fridge?", "there is milk_0"),
    ("My friends are coming, put the plate on the dining table",
     "not taken as part of the task: 'my friends are coming'"),
    ("I am hungry", "'i am hungry': something for it is brought, any of apple_0"),
])
def test_what_was_read_into_the_words_is_told(stocked, instruction, note):
    assert any(note in told for told in interpret(instruction, stocked, complete=True).notes)


def test_what_is_not_known_yet_is_asked(shop):
    found = plan_offline("if there is milk in the fridge, put it on the counter, otherwise put the bowl there", shop)
    assert found["plan"][:2] == [["go_to", "fridge_0"], ["open", "fridge_0"]]
    assert found["goal"]["propositions"] == [{"is_on_top": [["milk_0"], ["counter_0"]]}]


def test_different_things_are_told_apart_in_the_suite(stocked):
    goal = interpret("Find a squirrel toy and put it on the counter. Put another squirrel toy on the fruit table.",
                     stocked, complete=True).to_suite()
    assert {"different_arg": {"propositions": [0, 1], "arg": 0}} in goal["constraints"]


def test_the_fridge_is_the_one_just_spoken_of():
    store = load_house("store")
    goal = interpret("Fetch the iced tea from the drinks fridge for the entry table, and leave the fridge shut.",
                     build_graph(store, "all"), complete=True)
    assert shown(goal.propositions[-1]) == "is_closed drinks_fridge_0"
