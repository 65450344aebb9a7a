"""The parts of node ``sim_bridge``: what it publishes, and the driver actions and services that it serves."""
