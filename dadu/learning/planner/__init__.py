"""A language model that plans: chats and pairs of `dadu data plans` to weights that vLLM serves."""
