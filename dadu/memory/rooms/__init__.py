"""Rooms that nobody told of: the explored floor cut at its doors, and what sort of room each part is."""
