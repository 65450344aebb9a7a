"""Instructions that must be understood, and as what. ``predicate subject|subject object|object [number]``."""

import pytest
from understood import interpret

APPLES, BOOKS, FRUIT = "apple_0|apple_1", "book_0|book_1|book_2", "apple_0|apple_1|lemon_0"
ACCEPTED = {
    "put the milk on the dining table": ["is_on_top milk_0 dining_table_0"],
    "milk to the counter": ["is_on_top milk_0 counter_0"],
    "put the lemon on the desk, keep the others where they are": ["is_on_top lemon_0 desk_0"],
    "open the fridge, take out what's inside and put it on the counter": [
        "is_open fridge_0", "is_on_top juice_0|milk_0|soda_can_0|yogurt_0 counter_0 4"],
    "help me clear the dining table by moving the vase to the desk": ["is_on_top vase_0 desk_0"],
    "swap the milk in the fridge with the lemon": [
        "is_on_top milk_0 fruit_table", "is_inside lemon_0 fridge_0"],
    "take the milk out of the fridge and put it on the dining table, then bring the apple from the fruit table to the "
    "shelf": ["is_on_top milk_0 dining_table_0", f"is_on_top {APPLES} shelf_0"],
    "Could you please put the red mug on the coffee table?": ["is_on_top mug_0 coffee_table_0"],
    "put the mug and the bowl from the counter on the dining table": [
        "is_on_top mug_0 dining_table_0", "is_on_top bowl_0 dining_table_0"],
    "put the apple on the coffee table and the lemon on the desk": [
        f"is_on_top {APPLES} coffee_table_0", "is_on_top lemon_0 desk_0"],
    "put the cup on the coffee table, the vase on the tv stand and the candle on the desk": [
        "is_on_top cup_0 coffee_table_0", "is_on_top vase_0 tv_stand_0", "is_on_top candle_0 desk_0"],
    "move two books to the sofa": [f"is_on_top {BOOKS} sofa_0 2"],
    "move 2 books to the sofa": [f"is_on_top {BOOKS} sofa_0 2"],
    "bring a couple of books to the bed": [f"is_on_top {BOOKS} bed_0 2"],
    "bring all the books to the desk": [f"is_on_top {BOOKS} desk_0 3"],
    "put every book on the coffee table": [f"is_on_top {BOOKS} coffee_table_0 3"],
    "move all books from the shelf to the sofa": ["is_on_top book_0|book_1 sofa_0 2"],
    "the books go on the shelf": [f"is_on_top {BOOKS} shelf_0 3"],
    "put both apples on the sofa": [f"is_on_top {APPLES} sofa_0 2"],
    "put the two apples and the lemon on the coffee table": [
        f"is_on_top {APPLES} coffee_table_0 2", "is_on_top lemon_0 coffee_table_0"],
    "take an apple and a lemon from the fruit table and put them on the dining table": [
        f"is_on_top {APPLES} dining_table_0", "is_on_top lemon_0 dining_table_0"],
    "put the fruit on the dining table": [f"is_on_top {FRUIT} dining_table_0 3"],
    "put a drink on the coffee table": ["is_on_top juice_0|milk_0|soda_can_0|water_bottle_0 coffee_table_0"],
    "put the drinks from the fridge on the dining table": ["is_on_top juice_0|milk_0|soda_can_0 dining_table_0 3"],
    "put everything from the coffee table in the wardrobe": ["is_inside candle_0|tissue_box_0 wardrobe_0 2"],
    "put an apple on the desk and another on the coffee table": [
        f"is_on_top {APPLES} desk_0", "is_on_top apple_1 coffee_table_0"],
    "put the red apple next to the vase": ["is_next_to apple_0 vase_0"],
    "take the sponge out of the cabinet and place it beside the shampoo": ["is_next_to sponge_0 shampoo_0"],
    "put the green apple on the dining table next to the vase": [
        "is_on_top apple_1 dining_table_0", "is_next_to apple_1 vase_0"],
    "put the green apple beside the candle on the coffee table": [
        "is_on_top apple_1 coffee_table_0", "is_next_to apple_1 candle_0"],
    "bring the milk to the lemon": ["is_next_to milk_0 lemon_0"],
    "close the fridge": ["is_closed fridge_0"],
    "shut the wardrobe door": ["is_closed wardrobe_0"],
    "open the drawer of the cabinet": ["is_open cabinet_0"],
    "open all the drawers": ["is_open cabinet_0", "is_open nightstand_0"],
    "open the fridge, take out the milk, put it on the counter, and close it": [
        "is_open fridge_0", "is_on_top milk_0 counter_0", "is_closed fridge_0"],
    "put the bowl in the cabinet and close the drawer": ["is_inside bowl_0 cabinet_0", "is_closed cabinet_0"],
    "put the lemon in the fridge and close it afterwards": ["is_inside lemon_0 fridge_0", "is_closed fridge_0"],
    "once you have put the lemon in the fridge, close it": ["is_inside lemon_0 fridge_0", "is_closed fridge_0"],
    "put the milk on the counter before you put the juice on the dining table": [
        "is_on_top milk_0 counter_0", "is_on_top juice_0 dining_table_0"],
    "after closing the fridge, go to the bedroom": ["is_closed fridge_0", "is_in_room robot bedroom"],
    "go to the kitchen": ["is_in_room robot kitchen"],
    "move to the fruit table": ["is_next_to robot fruit_table"],
    "Look for the alarm clock": ["is_next_to robot alarm_clock_0"],
    "find a lemon and place it on the dining table": ["is_on_top lemon_0 dining_table_0"],
    "Find the lemon and place on the dining table": ["is_on_top lemon_0 dining_table_0"],
    "pick up the ball": ["is_held ball_0"],
    "bring me the soda can": ["is_held soda_can_0", "is_in_room robot living_room"],
    "fetch the alarm clock": ["is_held alarm_clock_0", "is_in_room robot living_room"],
    "Fetch the cereal and place it on the fruit stand": ["is_on_top cereal_box_0 fruit_table"],
    "get the juice to the living room": ["is_in_room juice_0 living_room"],
    "put the apple somewhere in the kitchen": [f"is_in_room {APPLES} kitchen"],
    "take the apple to the kitchen and the lemon to the bedroom": [
        f"is_in_room {APPLES} kitchen", "is_in_room lemon_0 bedroom"],
    "put the kitchen mug on the desk": ["is_on_top mug_0 desk_0"],
    "put the mug in the bedroom on the dining table": ["is_on_top mug_1 dining_table_0"],
    "put the mug that is on the desk on the shelf": ["is_on_top mug_1 shelf_0"],
    "bring the red book from the shelf in the living room to the desk in the bedroom": ["is_on_top book_1 desk_0"],
    "Could you move the bowl to the table in the dining room?": ["is_on_top bowl_0 dining_table_0"],
    "from the fridge, take the yogurt and put it on the dining table": ["is_on_top yogurt_0 dining_table_0"],
    "bring the can from the fridge to the shelf": ["is_on_top soda_can_0 shelf_0"],
    "place the can of soup on the kitchen table": ["is_on_top soup_can_0 side_table_0"],
    "bring a bottle of water to the bedroom": ["is_in_room water_bottle_0 bedroom"],
    "put the glass on the couch": ["is_on_top glass_0 sofa_0"],
    "I want you to take the milk from the refrigerator and put it onto the kitchen table": [
        "is_on_top milk_0 side_table_0"],
    "bring the biggest book to the desk": ["is_on_top book_0 desk_0"],
    "put the orange juice on the counter": ["is_on_top juice_0 counter_0"],
    "Pick up a yellow fruit to dining table.": ["is_on_top lemon_0 dining_table_0"],
    "put the milk on the table and the juice too": [
        "is_on_top milk_0 dining_table_0", "is_on_top juice_0 dining_table_0"],
    "first put the lemon on the desk, then put the green apple there, too": [
        "is_on_top lemon_0 desk_0", "is_on_top apple_1 desk_0"],
    "bring book_2 to shelf_0": ["is_on_top book_2 shelf_0"],
    "drop the ball in the basket": ["is_inside ball_0 basket_0"],
    "Oh no, the red mug is still on the counter! It belongs on the dining table, please.": [
        "is_on_top mug_0 dining_table_0"],
    "It would be lovely to have the candle on the dining table tonight.": ["is_on_top candle_0 dining_table_0"],
    "It would be great if the lemon was in the fridge": ["is_inside lemon_0 fridge_0"],
    "I could do with some milk. Would you be so kind and set it on the desk for me?": ["is_on_top milk_0 desk_0"],
    "The mug from the bedroom is in the wrong place. Put it on the shelf.": ["is_on_top mug_1 shelf_0"],
    "The milk must be moved to the counter": ["is_on_top milk_0 counter_0"],
    "bring the apple that is not red to the desk": ["is_on_top apple_1 desk_0"],
    "take the book which is blue to the sofa": ["is_on_top book_0 sofa_0"],
    "put the mug that isn't in the bedroom on the shelf": ["is_on_top mug_0 shelf_0"],
    "put the apple on the desk, not the green one": ["is_on_top apple_0 desk_0"],
    "put the red apple on the desk and the green one on the bed": [
        "is_on_top apple_0 desk_0", "is_on_top apple_1 bed_0"],
    "put the red apple, not the green one, on the desk": ["is_on_top apple_0 desk_0"],
    "bring the lemon to the desk, not to the shelf": ["is_on_top lemon_0 desk_0"],
    "put the glass on the dining table and the ball next to it": [
        "is_on_top glass_0 dining_table_0", "is_next_to ball_0 glass_0"],
    "put the lemon on the desk, and only then put the ball on the bed": [
        "is_on_top lemon_0 desk_0", "is_on_top ball_0 bed_0"],
    "pick up the lemon, go to the kitchen and put it on the counter": [
        "is_in_room robot kitchen", "is_on_top lemon_0 counter_0"],
}


def shown(p):
    """One proposition in the notation above."""
    words = [p.predicate, "|".join(p.subject.ids), *(["|".join(p.object.ids)] if p.object else [])]
    return " ".join(words + ([str(p.needed)] if p.needed > 1 else []))


@pytest.mark.parametrize("instruction", ACCEPTED)
def test_it_is_understood(known, instruction):
    assert [shown(p) for p in interpret(instruction, known).propositions] == ACCEPTED[instruction]


@pytest.mark.parametrize(("instruction", "order"), [
    ("put the lemon on the desk, then put the ball on the bed", [(0, 1)]),
    ("put the lemon on the desk and the ball on the bed", []),
    ("put the lemon on the desk after you have put the ball on the bed", [(0, 1)]),
    ("put the lemon on the desk. Then put the ball on the bed. Finally close the fridge", [(0, 1), (1, 2)]),
    ("open the fridge and close it", [(0, 1)]),
    ("move the ball to the kitchen and then to the bedroom", [(0, 1)]),
])
def test_order(known, instruction, order):
    assert list(interpret(instruction, known).order) == order


def test_what_is_undone_on_purpose_need_not_last(known):
    assert interpret("open the fridge and close it", known).transient() == {0}
    assert interpret("put the ball on the bed, then put it on the desk", known).transient() == {0}


def test_substitutions_are_told(known):
    assert interpret("put the glass on the settee", known).substitutions == ("settee -> sofa_0",)
    assert interpret("put the glass on the sofa", known).substitutions == ()


def test_things_not_seen_yet_are_described(layout):
    p = interpret("bring the red apple from the fruit table to the desk", layout).propositions[0]
    assert p.subject.ids == ()
    assert p.subject.description.categories == ("apple",)
    assert p.subject.description.attributes == ("red",)
    assert p.subject.description.where[0].ids == ("fruit_table",)


def test_suite_format(known):
    goal = interpret("open the fridge, put two books on the sofa, then close the fridge", known).to_suite()
    assert goal["propositions"][1] == {
        "is_on_top": [["book_0", "book_1", "book_2"], ["sofa_0"]], "number": 2, "same_target": True}
    assert {"temporal": [[0, 2], [1, 2]]} in goal["constraints"]
    assert {"terminal": [1, 2]} in goal["constraints"]
    assert goal["dependencies"] == [{"propositions": [2], "depends_on": [0, 1], "relation": "after_satisfied"}]


def test_the_dark_one_is_the_one_seen_darkest(known):
    graph = known.copy()
    for id, light in (("apple_0", "0.40"), ("apple_1", "0.20")):
        graph.change(id, attributes={"color": "red", "lightness": light})
    for said, id in (("dark red", "apple_1"), ("lightest", "apple_0"), ("lighter red", "apple_0")):
        p = interpret(f"bring the {said} apple to the desk", graph).propositions[0]
        assert p.subject.ids == (id,)
    assert interpret("put a light snack on the desk", graph).propositions[0].subject.description.superlative == ""
