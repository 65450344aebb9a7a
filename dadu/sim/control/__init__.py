"""A simulation ruled from outside, as the standard *simulation_interfaces* has it: worlds, entities, time. Without ROS:
`dadu_nodes.simulator.standard` translates.

A request that is not fulfilled raises `Unfulfilled` with the standard's code.
"""
