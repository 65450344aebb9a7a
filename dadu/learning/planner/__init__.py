"""A language model that plans: chats of `dadu data plans` to weights that vLLM serves."""
