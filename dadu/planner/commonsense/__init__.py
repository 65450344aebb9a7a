"""What everybody knows, as data: what things are good for, where they usually are, what an occasion takes."""
