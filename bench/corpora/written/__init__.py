"""Instructions written by hand in the manner of published papers, each with what it means: YAML files beside this one."""
