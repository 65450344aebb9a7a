"""Training of what tells the states of things by their looks."""
