"""Recorded runs as a LeRobot dataset, for who trains policies on what the robot did."""
