"""Skills whose motion a learned policy commands: its server is asked, what it says is held to the body's limits, and
what became of it is sensed here."""
