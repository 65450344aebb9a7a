"""Skills and world graph as tools for other agents, over the Model Context Protocol. Off unless `dadu mcp` runs."""
