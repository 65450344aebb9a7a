"""Where the words are not clear, who said them may be asked: the question, what the answer means, and how often."""
