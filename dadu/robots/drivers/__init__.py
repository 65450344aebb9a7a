"""What stands between our goals and a real robot's own drivers, without ROS."""
