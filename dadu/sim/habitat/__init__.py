"""Habitat as a simulator: our houses as its scene datasets, and the world in a process of its own.

Only `dadu.sim.habitat.adapter` and `dadu.sim.habitat.server` run where habitat-sim is installed; they need NumPy and
habitat-sim, nothing else.
"""
