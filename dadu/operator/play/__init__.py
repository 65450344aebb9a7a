"""The page on which people play agents of a team: what it shows, what may be asked for, and who sits where."""
