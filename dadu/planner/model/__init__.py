"""A language model behind an OpenAI-compatible server as policy: prompt, constrained schema, checked reply."""
