"""Random tasks with random faults over the ROS graph, judged by ground truth and by what must never happen."""
