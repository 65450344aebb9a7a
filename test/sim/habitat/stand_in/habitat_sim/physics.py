from enum import Enum


class MotionType(Enum):
    UNDEFINED, STATIC, KINEMATIC, DYNAMIC = -1, 0, 1, 2
