"""Several agents with one task: who does what, what they tell each other, what they know together."""
