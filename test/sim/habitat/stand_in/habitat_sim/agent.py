import numpy as np
from magnum import Quaternion, Vector3


class AgentConfiguration:
    def __init__(self):
        self.sensor_specifications = []


class Agent:
    def __init__(self):
        self.position, self.R = np.zeros(3), np.eye(3)

    def set_state(self, state):
        x, y, z, w = map(float, state.rotation)
        self.position, self.R = np.array(state.position, float), Quaternion(Vector3(x, y, z), w).matrix
