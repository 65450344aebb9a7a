"""Protocol `goal`: the model writes once, as frames, what is asked for; the symbolic planner carries it out."""
