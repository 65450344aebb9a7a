"""The parts of node ``sim_bridge``: what it publishes, the driver actions and services that it serves,
and what other nodes say of their work.
"""
