"""Colour names that houses and catalogue may use, and their sRGB values."""

from __future__ import annotations

from PIL import ImageColor

from dadu.core.errors import ConfigError, choices

UNKNOWN = "unknown"
"""of what nobody has said which colour it has: it is drawn in that of its kind"""
COLORS: dict[str, str] = {
    "white": "#f2f0ea", "cream": "#efe3c6", "grey": "#8c9096", "silver": "#c3c7cb", "black": "#26272b",
    "red": "#c8322b", "orange": "#e8832a", "yellow": "#efc43a", "green": "#4f9a4c", "olive": "#7d8043",
    "teal": "#2f8f8b", "blue": "#2f62b5", "navy": "#27385f", "purple": "#77509c", "pink": "#e39aa8",
    "brown": "#7a5236", "wood": "#b98a58", "oak": "#c9a06c", "walnut": "#6d4a31", "beige": "#d8c7a5",
    "gold": "#c69b3b", "steel": "#a9afb5", "transparent": "#cfe0e6",
}
"""Name to ``#rrggbb``."""

FLOORS = {
    "kitchen": ("#d9d4c8", "tiles"), "bathroom": ("#bcd0d4", "tiles"), "hall": ("#d8b98a", "planks"),
    "shop": ("#d3d6d3", "tiles"), "storeroom": ("#b4b7b6", "paint"), "staff_room": ("#d9d4c8", "tiles"),
    "bedroom": ("#c2a07a", "planks"), "living_room": ("#cfa873", "planks"), "dining_room": ("#cfa873", "planks"),
}
"""colour and finish by category of room"""
DEFAULT_FLOOR = ("#c9b79b", "planks")
WALL = ("#efeae0", "paint")


def rgba(color: str) -> tuple[float, float, float, float]:
    """sRGB, 0 to 1, of a name above, a name of CSS or ``#rrggbb``; of `UNKNOWN` grey. Errors: ConfigError naming the
    valid names."""
    code = COLORS.get("grey" if color == UNKNOWN else color.lower(), color.replace(" ", "").replace("_", ""))
    try:
        r, g, b = ImageColor.getrgb(code)[:3]
    except ValueError:
        raise ConfigError(f"unknown color {color!r}; valid: {choices(COLORS, 40)}, a CSS name, or '#rrggbb'") from None
    return r / 255, g / 255, b / 255, 1.0
