from magnum import Vector3


class Ray:
    def __init__(self, origin, direction):
        if not isinstance(origin, Vector3) or not isinstance(direction, Vector3):
            raise TypeError("Ray takes two Vector3")
        self.origin, self.direction = origin, direction
