"""The data of the generator speaks only of what there is."""

from __future__ import annotations

from dadu.homes.preferences import habits, home_preferences, piece_looks, room_wishes
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.house.colors import rgba


def test_rooms_want_furniture_of_the_catalogue_and_refer_to_their_own():
    for room, wishes in room_wishes().items():
        here = {category for wish in wishes for category in wish.category}
        assert here <= set(furniture_categories()), room
        assert {category for wish in wishes for category in wish.of} <= here, room


def test_every_kind_of_room_has_a_size_and_furniture():
    preferences = home_preferences()
    kinds = {category for line in preferences.program for category in line}
    assert kinds <= set(preferences.rooms)
    assert kinds <= set(room_wishes())


def test_looks_are_of_the_catalogue():
    assert set(piece_looks()) <= set(furniture_categories())
    for look in piece_looks().values():
        assert all(len(rgba(color)) == 4 for color in look.colors)


def test_habits_speak_of_known_things_and_places():
    words = set(object_categories()) | {word for c in object_categories().values() for word in c.hypernyms}
    rooms = set(room_wishes())
    for word, places in habits().items():
        assert word in words, word
        for place in places:
            *room, furniture = place.split("/")
            assert furniture in furniture_categories(), (word, place)
            assert set(room) <= rooms, (word, place)
