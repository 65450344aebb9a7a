"""What everybody knows: what things are good for, where they usually are, what belongs to an occasion. Data, in YAML."""
