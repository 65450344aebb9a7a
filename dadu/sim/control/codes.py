"""Numbers of simulation_interfaces 2.1.0: results, features, categories, states. A test holds them to its messages."""

from __future__ import annotations

from enum import IntEnum

from dadu.core.errors import DaduError


class ResultCode(IntEnum):
    """Results of every service."""

    FEATURE_UNSUPPORTED = 0
    OK = 1
    NOT_FOUND = 2
    INCORRECT_STATE = 3
    OPERATION_FAILED = 4


class SpawnCode(IntEnum):
    """Further results of spawning; INVALID_POSE of setting a state is `INVALID_STATE_POSE`."""

    NAME_NOT_UNIQUE = 101
    NAME_INVALID = 102
    UNSUPPORTED_FORMAT = 103
    NO_RESOURCE = 104
    NAMESPACE_INVALID = 105
    RESOURCE_PARSE_ERROR = 106
    INVALID_POSE = 109


class LoadCode(IntEnum):
    """Further results of loading a world."""

    UNSUPPORTED_FORMAT = 101
    NO_RESOURCE = 102
    RESOURCE_PARSE_ERROR = 103


class StateCode(IntEnum):
    """Further results of setting the simulation's state."""

    ALREADY_IN_TARGET_STATE = 101
    INCORRECT_TRANSITION = 103


INVALID_STATE_POSE = 101


class Feature(IntEnum):
    """What a simulator may say that it can do; of the standard's, those that DaDu's does."""

    SPAWNING = 0
    DELETING = 1
    ENTITY_CATEGORIES = 8
    SPAWNING_RESOURCE_STRING = 9
    ENTITY_STATE_GETTING = 10
    ENTITY_STATE_SETTING = 11
    ENTITY_INFO_GETTING = 12
    SPAWNABLES = 14
    SIMULATION_RESET = 20
    SIMULATION_RESET_TIME = 21
    SIMULATION_RESET_STATE = 22
    SIMULATION_RESET_SPAWNED = 23
    SIMULATION_STATE_GETTING = 24
    SIMULATION_STATE_SETTING = 25
    SIMULATION_STATE_PAUSE = 26
    STEP_SIMULATION_SINGLE = 31
    STEP_SIMULATION_MULTIPLE = 32
    STEP_SIMULATION_ACTION = 33
    WORLD_LOADING = 40
    WORLD_RESOURCE_STRING = 41
    WORLD_INFO_GETTING = 44


EDITING = frozenset({Feature.SPAWNING, Feature.DELETING, Feature.SPAWNING_RESOURCE_STRING, Feature.SPAWNABLES,
                     Feature.ENTITY_STATE_GETTING, Feature.ENTITY_STATE_SETTING, Feature.SIMULATION_RESET_SPAWNED})
"""what takes a world that can be built anew while it runs, with every velocity known"""


class Category(IntEnum):
    """Of an entity."""

    OBJECT = 0
    ROBOT = 1
    HUMAN = 2
    DYNAMIC_OBJECT = 4
    STATIC_OBJECT = 5


class RunState(IntEnum):
    """Of a simulation."""

    STOPPED = 0
    PLAYING = 1
    PAUSED = 2
    QUITTING = 3
    NO_WORLD = 4
    LOADING_WORLD = 5


class Scope(IntEnum):
    """Bits of what a reset puts back; 0 means all of them."""

    TIME = 1
    STATE = 2
    SPAWNED = 4
    ALL = 255


class Unfulfilled(DaduError):
    """A request that is not fulfilled, with the standard's code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = int(code)
