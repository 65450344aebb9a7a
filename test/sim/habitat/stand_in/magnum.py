"""The few of Magnum's types that the adapter uses."""

import numpy as np


class Vector3:
    def __init__(self, x, y, z):
        if not all(isinstance(v, float) for v in (x, y, z)):
            raise TypeError("Vector3 takes three floats")
        self._v = np.array([x, y, z], np.float32)

    def __array__(self, dtype=None, copy=None):
        return self._v.astype(dtype or np.float32)

    def __iter__(self):
        return iter(self._v.tolist())

    def __getitem__(self, i):
        return float(self._v[i])

    def __len__(self):
        return 3


class Quaternion:
    def __init__(self, vector, scalar):
        if not isinstance(vector, Vector3) or not isinstance(scalar, float):
            raise TypeError("Quaternion takes a Vector3 and a float")
        self.vector, self.scalar = vector, scalar

    @property
    def matrix(self):
        x, y, z = self.vector
        w = self.scalar
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
