"""The kinematic oracle: a house without physics, for planning at scale."""
