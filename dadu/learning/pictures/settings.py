"""What may be set when labelled pictures are made; the resolved copy lies in the folder's ``data.yaml``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings

Chance = Annotated[float, Field(ge=0, le=1)]
Span = tuple[float, float]
"""least and greatest"""


class ColorNoise(Settings):
    """What a colour camera does to a picture."""

    exposure: Span = (-0.8, 0.6)
    """stops by which automatic exposure is off"""
    white_balance: float = Field(0.1, ge=0)
    """relative error of red and blue, standard deviation"""
    gamma: Span = (0.85, 1.2)
    noise: Span = (0.5, 7.0)
    """standard deviation of a pixel, of 255"""
    blur: Span = (0.3, 1.3)
    """standard deviation [px] of being out of focus"""
    blurred: Chance = 0.3
    motion: Span = (2.0, 9.0)
    """length [px] of motion blur"""
    moved: Chance = 0.15
    compressed: Chance = 0.25
    """by JPEG"""


class DepthNoise(Settings):
    """What an active stereo camera of the RealSense kind does to a depth picture."""

    baseline: PositiveFloat = 0.05
    """between its two eyes [m]"""
    disparity: Span = (0.03, 0.15)
    """error of the match, standard deviation [px of 640 across]"""
    steps: Span = (8.0, 32.0)
    """into how many steps a pixel of disparity is divided"""
    ragged: Span = (0.4, 1.2)
    """how far the edges of things wander [px]"""
    shadow: Span = (0.3, 1.5)
    """width of the blind strip beside a near thing, of what geometry says"""
    dropouts: Span = (0.0, 0.06)
    """share of the picture lost in patches"""
    speckles: Span = (0.0, 0.01)
    """share of single pixels lost"""
    grazing: Span = (0.12, 0.4)
    """slope, as change of depth per pixel and metre, beyond which a surface gives no reading [1/px]"""
    nearest: Span = (0.17, 0.3)
    """no reading nearer than [m]"""
    farthest: Span = (5.0, 8.0)
    """none beyond [m]"""


class PictureSettings(Settings):
    """How labelled pictures are made; with the seed of a home they decide every pixel."""

    width: PositiveInt = 320
    height: PositiveInt = 240
    field_of_view: float = Field(42.0, gt=1, lt=170)
    """along the picture's height [deg]"""
    pictures: PositiveInt = 60
    """of each home"""
    scene: PositiveInt = 10
    """pictures after which things are moved, doors opened and everything is given new looks"""
    rooms: tuple[PositiveInt, PositiveInt] = (2, 7)
    robot: str = "stretch"
    """whose body and hand are in view, and for whom homes are made"""
    crowd: tuple[NonNegativeInt, NonNegativeInt] = (4, 12)
    """things a room that are put anywhere, besides those where people keep them"""
    telling: Chance = 0.0
    """of those things, that are of a kind that can be seen to be on, filled or sliced, each as often"""
    plain: Chance = 0.2
    """scenes in the colours and light of the simulator itself"""
    recolored: Chance = 0.35
    """things and furniture that get a colour of their own"""
    textured: Chance = 0.4
    """things and furniture that get a pattern"""
    powered: Chance = 0.4
    """lamps and screens that are on"""
    filled: Chance = 0.4
    """mugs, glasses, bowls and pots with something in them"""
    dirty: Chance = 0.12
    """things that can be dirty and are"""
    sliced: Chance = 0.3
    """food that is cut into slices"""
    open: Chance = 0.4
    """doors and drawers that are open, some way"""
    held_out: Chance = 0.1
    """share of the categories of objects that training never sees"""
    held_out_seed: NonNegativeInt = 21
    """one with which few of the things that the suites need are held out"""
    color_noise: ColorNoise = ColorNoise()
    depth_noise: DepthNoise = DepthNoise()
