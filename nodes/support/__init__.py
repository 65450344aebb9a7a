"""ROS plumbing that all nodes share: parameters, QoS, message conversion, the robot over ROS, skill servers."""
