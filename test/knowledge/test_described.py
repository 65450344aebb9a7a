"""Descriptions of things without their name: 50 with what is meant, 20 of what no house has."""

import pytest

from dadu.knowledge.described import described, descriptions
from dadu.knowledge.embedding import LexicalEmbedder
from dadu.knowledge.vocabulary import default_vocabulary

MEANT = {
    "the tool for stirring tea": "spoon", "kitchen gadget for flipping burgers": "spatula",
    "a scooping utensil for stew": "ladle", "a device used for phone calls": "cellphone",
    "the gadget that changes channels": "remote_control", "a container for drinking coffee": "mug",
    "the appliance that keeps groceries cold": "fridge", "the machine that makes coffee": "coffee_machine",
    "the appliance for warming up leftovers": "microwave", "the furniture people sleep on": "bed",
    "the piece of furniture for lounging": "sofa", "a place for throwing away garbage": "trash_can",
    "something to dry my hands": "hand_towel", "a scrubbing pad": "sponge", "the timekeeping device": "clock",
    "a payment card": "credit_card", "a thing to unlock the front door": "keychain",
    "a leafy salad vegetable": "lettuce", "a crisp red fruit": "apple", "the starchy vegetable": "potato",
    "a salad fruit that is red and juicy": "tomato", "a portable computing device": "laptop",
    "a source of light on the desk": "desk_lamp", "reading material": "book", "an eating utensil with prongs": "fork",
    "a spreading knife": "butter_knife", "a flat eating dish": "plate", "a cooking vessel for soup": "pot",
    "a frying vessel": "pan", "transparent container for cold drinks": "glass", "a container for flowers": "vase",
    "wax light": "candle", "a bathroom paper roll": "toilet_paper", "a cleansing bar": "soap",
    "the bathing basin": "bathtub", "kitchen appliance with burners": "stove", "a seasoning container": "pepper_shaker",
    "a writing implement with ink": "pen", "erasable writing tool": "pencil", "a tall standing light": "floor_lamp",
    "a nighttime table next to the bed": "nightstand", "the work surface in the kitchen": "counter",
    "the table for meals": "dining_table", "a news publication": "newspaper", "something to slice bread with": "knife",
    "a drinking vessel with a handle": "mug", "a headrest for sleeping": "pillow",
    "an oval breakfast food with a shell": "egg", "sports equipment for hitting a ball": "baseballbat",
    "furniture for keeping documents": "filing_cabinet"}
OF_NOTHING = (
    "a purple elephant", "the quantum flux capacitor", "a tool for welding", "the machine that mows lawns",
    "a vessel for crossing the ocean", "an instrument for measuring earthquakes", "something to repair the roof with",
    "the thing my uncle mentioned", "a musical instrument with strings", "a cutting tool for trees",
    "an appliance that dries hair", "a container for fuel", "a device for opening garage doors",
    "the vehicle in the driveway", "a fruit with a spiky shell", "a gift for my grandmother",
    "the glass with the crack",
    "a device for measuring blood pressure", "a tool for planting seeds", "the mysterious object")


def test_most_descriptions_are_understood_and_hardly_one_of_nothing_is():
    found = {words: described(words, descriptions()) for words in (*MEANT, *OF_NOTHING)}
    right = [words for words, meant in MEANT.items() if found[words][:1] == (meant,)]
    wrong = [words for words, meant in MEANT.items() if found[words] and meant not in found[words]]
    assert len(right) >= 42 and len(wrong) <= 4, (sorted({*MEANT} - {*right}), wrong)
    assert len([words for words in OF_NOTHING if found[words]]) <= 1


def test_only_what_may_be_meant_is_found():
    assert described("appliance that keeps food cold", ["mug", "sofa"]) == ()
    assert "cup" in described("small drinking container", ["cup", "sofa"])


def test_without_a_model_of_language_a_description_fits_only_by_its_words():
    assert described("the gadget that changes channels", descriptions(), LexicalEmbedder()) == ()


@pytest.mark.parametrize("category", [c for c in descriptions() if c not in ("drawer", "television")])
def test_what_is_described_is_a_category(category):
    assert category in default_vocabulary().entries
