"""Actions from the side of who asks for them."""
