"""The catalogue: what it must hold, and that its numbers are those of real things."""

import numpy as np
import pytest
from pydantic import ValidationError

from dadu.house.catalogue import Affordance, ObjectCategory, furniture_categories, object_categories
from dadu.house.format import Furniture, Object
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model

OVMM_OBJECTS = """action_figure android_figure apple backpack baseballbat basket basketball bath_towel battery_charger
board_game
book bottle bowl box bread bundt_pan butter_dish c-clamp cake_pan can can_opener candle candle_holder candy_bar
canister carrying_case casserole cellphone clock cloth credit_card cup cushion dish doll dumbbell egg
electric_kettle electronic_cable file_sorter folder fork gaming_console glass hammer hand_towel handbag hard_drive
hat helmet jar jug kettle keychain knife ladle lamp laptop laptop_cover laptop_stand lettuce lunch_box
milk_frother_cup monitor_stand mouse_pad multiport_hub newspaper pan pen pencil_case phone_stand picture_frame
pitcher plant_container plant_saucer plate plunger pot potato ramekin remote salt_and_pepper_shaker scissors
screwdriver shoe soap soap_dish soap_dispenser spatula spectacles spicemill sponge spoon spray_bottle squeezer
statue stuffed_toy sushi_mat tape teapot tennis_racquet tissue_box toiletry tomato toy_airplane toy_animal toy_bee
toy_cactus toy_construction_set toy_fire_truck toy_food toy_fruits toy_lamp toy_pineapple toy_rattle
toy_refrigerator toy_sink toy_sofa toy_swing toy_table toy_vehicle tray utensil_holder_cup vase
video_game_cartridge watch watering_can wine_bottle""".split()
OVMM_RECEPTACLES = """bathtub bed bench cabinet chair chest_of_drawers couch counter filing_cabinet hamper serving_cart
shelves shoe_rack sink stand stool table toilet trunk wardrobe washer_dryer""".split()
OBJECTS, FURNITURE = object_categories(), furniture_categories()


def test_it_is_as_large_as_promised_and_holds_the_categories_of_ovmm():
    assert len(OBJECTS) >= 160 and len(FURNITURE) >= 35
    assert set(OVMM_OBJECTS) <= set(OBJECTS)
    assert set(OVMM_RECEPTACLES) <= set(FURNITURE)


def test_no_name_means_both_an_object_and_a_piece_of_furniture():
    assert set(OBJECTS) & set(FURNITURE) == set()


def test_words_are_plain_and_not_repeated():
    for name, entry in {**FURNITURE, **OBJECTS}.items():
        words = [*entry.aliases, *entry.hypernyms]
        assert all(word == word.lower().strip() and word for word in words), name
        assert len(set(entry.aliases)) == len(entry.aliases), name
        assert len(set(entry.hypernyms)) == len(entry.hypernyms) > 0, name
        assert name.replace("_", " ") not in entry.aliases


def test_objects_are_as_heavy_and_large_as_real_things_and_can_be_picked():
    for name, category in OBJECTS.items():
        for number in range(max(1, len(category.variants))):
            model = object_model(Object(name=f"it_{number}", category=name, on="table"))
            density = model.mass / np.prod(model.size)
            assert 10 < density < 3500, f"{name}: {density:.0f} kg/m3 in its box"
            assert 0.005 < min(model.size) and max(model.size) <= 0.65, name
        assert "pick" in category.affordances, name


def test_half_of_the_objects_come_in_several_makes():
    assert sum(len(category.variants) > 1 for category in OBJECTS.values()) > len(OBJECTS) / 2


def test_what_opens_has_parts_and_what_holds_things_says_so():
    for name, category in FURNITURE.items():
        model = furniture_model(Furniture(name="it", category=name, room="den", pose=(0, 0, 0)))
        assert ("open" in category.affordances) == bool(model.parts), name
        assert ("place_in" in category.affordances) == any(deck.inside for deck in model.decks), name
        assert ("place_on" in category.affordances) == any(not deck.inside for deck in model.decks), name


def test_an_affordance_that_does_not_exist_is_refused_with_the_valid_ones():
    with pytest.raises(ValidationError, match=f"'{Affordance.PICK.value}', 'place_on'"):
        ObjectCategory(shape="box", size=(0.1, 0.1, 0.1), mass=0.1, affordances=("fly",))
