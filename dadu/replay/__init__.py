"""Reruns one part of the system on what a bag recorded, without ROS, and says where it decides differently."""
