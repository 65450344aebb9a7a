"""What people misspell, announce, list and leave out while they speak, and what is asked for then."""

import pytest
from understood import interpret

from dadu.knowledge.vocabulary import default_vocabulary
from dadu.language.parsing.names import names_of
from dadu.language.parsing.parse import parse
from dadu.language.refusal import NotUnderstood

SAID = {
    "put teh lemon on the coffe table": ["is_on_top lemon_0 coffee_table_0"],
    "put these on the desk: the lemon, the vase": ["is_on_top lemon_0 desk_0", "is_on_top vase_0 desk_0"],
    "tidy up: the lemon goes on the desk and the vase on the shelf": [
        "is_on_top lemon_0 desk_0", "is_on_top vase_0 shelf_0"],
    "help me tidy the living room. Put the lemon on the desk": ["is_on_top lemon_0 desk_0"],
    "my sister is coming over. Put the lemon on the desk": ["is_on_top lemon_0 desk_0"],
    "I left the lemon on the fruit table, bring it to the desk": ["is_on_top lemon_0 desk_0"],
    "put the lemon on the desk and the vase too": ["is_on_top lemon_0 desk_0", "is_on_top vase_0 desk_0"],
    "put a section of the lemon on the desk": ["is_sliced lemon_0", "is_on_top lemon_0 desk_0"],
    "put the apple that is not red on the desk": ["is_on_top apple_1 desk_0"],
    "bring the lemon to the desk, not to the shelf": ["is_on_top lemon_0 desk_0"],
    "open the fridge, put the lemon on the desk and close it": [
        "is_open fridge_0", "is_on_top lemon_0 desk_0", "is_closed fridge_0"],
    "it would be lovely to have the lemon on the desk": ["is_on_top lemon_0 desk_0"],
}
IN_ORDER = {
    "put the lemon on the desk, then the vase on the shelf": ((0, 1),),
    "first move the lemon, then the vase and finally the ball to the desk": ((0, 1), (1, 2)),
    "put the lemon on the desk and close the fridge afterwards": ((0, 1),),
}


def shown(p):
    return " ".join([p.predicate, "|".join(p.subject.ids), *(["|".join(p.object.ids)] if p.object else [])])


@pytest.mark.parametrize("said", SAID)
def test_it_asks_for_what_was_meant(known, said):
    assert [shown(p) for p in interpret(said, known).propositions] == SAID[said]


@pytest.mark.parametrize("said", IN_ORDER)
def test_one_after_the_other(known, said):
    assert interpret(said, known).order == IN_ORDER[said]


def test_different_places_are_different(known):
    first, second = interpret("put the lemon and the green apple on two different tables", known).propositions
    assert not set(first.place.ids) & set(second.place.ids)


@pytest.mark.parametrize(("said", "note"), [
    ("put the lemon on the coffe table", "'coffe' is read as 'coffee'"),
    ("put the lemin on the desk", "'lemin' is read as 'lemon'"),
    ("put the freshly picked lemon on the desk", "'freshly' is passed over"),
])
def test_slips_and_what_changes_nothing_are_told(known, said, note):
    assert note in interpret(said, known).notes


def test_a_slip_in_a_name_is_told_by_the_word_behind_it_though_nothing_here_is_called_so():
    [frame] = (said := parse("put the suger box on the desk")).frames
    assert frame.what[0].name == "sugar box" and said.notes == ("'suger' is read as 'sugar'",)


def test_these_from_there_are_those_that_were_brought_there(known):
    *first, last = interpret("Put the vase on the shelf. Then put the lemon on the coffee table. Finally, move all "
                             "these things from the coffee table to the desk.", known).propositions
    assert [p.subject.ids for p in first] == [("vase_0",), ("lemon_0",)] and last.subject.ids == ("lemon_0",)


@pytest.mark.parametrize(("said", "parts"), [
    ("warm up the apple to put in the fridge", ("is_hot", "is_inside")),
    ("warm up the apple to place in the fridge", ("is_hot", "is_inside")),
    ("turn on a light as you hold the vase", ("is_held", "is_powered_on")),
    ("turn on the lamp to see the vase", ("is_held", "is_powered_on")),
    ("pick up the vase to look at under the lamp", ("is_held", "is_powered_on")),
    ("look at the vase lit by a lamp", ("is_held", "is_powered_on")),
    ("take the apple to the fridge and back to the desk", ("is_inside", "is_cold", "is_on_top")),
    ("get lemon, wash lemon in sink, put lemon on desk", ("is_clean", "is_on_top")),
    ("turn on the lamp as you hold the vase", ("is_powered_on", "is_held")),
    ("look at the vase using the lamp", ("is_powered_on", "is_held")),
    ("put the bowl on the table and the apple on the counter to the sink", ("is_on_top", "is_on_top")),
])
def test_nothing_is_read_by_half(known, said, parts):
    try:
        asked = [p.predicate for p in interpret(said, known, complete=True).propositions]
    except NotUnderstood:
        return
    assert sorted(asked) == sorted(parts)


def test_what_has_a_name_of_two_words_is_no_slip(known):
    names = names_of(default_vocabulary(), known)
    assert "chair" in names.here and parse("put the key chain on the desk", names).frames[0].what[0].name == "key chain"


def test_two_pairs_are_two():
    assert parse("put two pairs of keys on the desk").frames[0].what[0].quantity.number == 2


@pytest.mark.parametrize(("said", "preposition"), [
    ("put the pen on the desk going to the shelf", "at"),
    ("put the pen to the left side of the desk", "at"),
    ("put the pen to the left of the lamp", "next_to"),
])
def test_where_to(said, preposition):
    [frame] = parse(said).frames
    assert [place.preposition for place in frame.to] == [preposition] and frame.what[0].name == "pen"


def test_what_is_above_furniture_says_which_piece_and_is_no_place_by_itself(known):
    [place] = parse("put the mug in the cabinet above the sink").frames[0].to
    assert [(p.preposition, p.text) for p in place.nouns[0].places] == [("next_to", "above the sink")]
    with pytest.raises(NotUnderstood, match="above the desk"):
        interpret("put the lemon above the desk", known)


@pytest.mark.parametrize("said", ["put the apple on the desk so I can eat it from the sofa",
                                  "so, put the apple on the desk"])
def test_a_reason_is_neither_a_place_nor_a_thing(said):
    [move] = [frame for frame in parse(said).frames if frame.frame == "move"]
    assert (move.what[0].text, move.source, [p.text for p in move.to]) == ("the apple", None, ["on the desk"])
