"""Instructions written by hand in the manner of published papers, and what each means: YAML files beside this one."""
