"""What may be set when labelled pictures are made; the resolved copy lies in the folder's ``data.yaml``."""

from __future__ import annotations

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from dadu.core.config import Settings, Share

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
    blurred: Share = 0.3
    motion: Span = (2.0, 9.0)
    """length [px] of motion blur"""
    moved: Share = 0.15
    compressed: Share = 0.25
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
    telling: Share = 0.0
    """of those things, that are of a kind that can be seen to be on, filled or sliced, each as often"""
    plain: Share = 0.2
    """scenes in the colours and light of the simulator itself"""
    recolored: Share = 0.35
    """things and furniture that get a colour of their own"""
    textured: Share = 0.4
    """things and furniture that get a pattern"""
    labelled: Share = 0.0
    """packages (boxes, bottles, cans) that get a printed label in its place; what is told of their colour is of what
    is beneath"""
    meshes: str = ""
    """a folder of meshes that things may have, see `dadu.sim.mujoco.scene.meshes`"""
    meshed: Share = 0.4
    """of the things that are put anywhere, those of a kind of which there is one"""
    powered: Share = 0.4
    """lamps and screens that are on"""
    filled: Share = 0.4
    """mugs, glasses, bowls and pots with something in them"""
    dirty: Share = 0.12
    """things that can be dirty and are"""
    sliced: Share = 0.3
    """food that is cut into slices"""
    open: Share = 0.4
    """doors and drawers that are open, some way"""
    held_out: Share = 0.1
    """share of the categories of objects that training never sees"""
    held_out_seed: NonNegativeInt = 21
    """one with which few of the things that the suites need are held out"""
    color_noise: ColorNoise = ColorNoise()
    depth_noise: DepthNoise = DepthNoise()
