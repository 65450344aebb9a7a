"""The parts of node ``console``: the task it follows, what it watches while somebody looks, and what it asks for."""
