"""Colours that nobody has told: drawn as usual, and no attribute."""

from dadu.house.colors import UNKNOWN
from dadu.house.format import Furniture, Object
from dadu.house.furniture.entity import furniture_entity
from dadu.house.furniture.pieces import furniture_model
from dadu.house.objects import object_model


def test_a_color_that_is_not_known_is_no_attribute_and_changes_no_looks():
    known = Object(name="mug_0", category="mug", on="table_0", attributes={"brand": "acme"})
    unknown = known.model_copy(update={"attributes": {"color": UNKNOWN, "brand": "acme"}})
    assert object_model(unknown).attributes == {"brand": "acme"} and "color" in object_model(known).attributes
    assert object_model(unknown).color == object_model(known).color

    table = Furniture(name="table_0", category="table", room="kitchen", pose=(0.0, 0.0, 0.0))
    plain = table.model_copy(update={"color": UNKNOWN})
    assert "color" in furniture_entity(table).attributes and "color" not in furniture_entity(plain).attributes
    assert furniture_model(plain) == furniture_model(table)
