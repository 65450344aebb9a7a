"""Colours and finishes of floors and walls, whoever draws them."""

FLOORS = {
    "kitchen": ("#d9d4c8", "tiles"), "bathroom": ("#bcd0d4", "tiles"), "hall": ("#d8b98a", "planks"),
    "shop": ("#d3d6d3", "tiles"), "storeroom": ("#b4b7b6", "paint"), "staff_room": ("#d9d4c8", "tiles"),
    "bedroom": ("#c2a07a", "planks"), "living_room": ("#cfa873", "planks"), "dining_room": ("#cfa873", "planks"),
}
"""colour and finish by category of room"""
DEFAULT_FLOOR = ("#c9b79b", "planks")
WALL = ("#efeae0", "paint")
