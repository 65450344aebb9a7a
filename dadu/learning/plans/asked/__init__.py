"""What is asked for in a home, by families of tasks, and in which words."""
