"""From an instruction in plain language to a goal: words (lexicon), structure (syntax), things (nouns), meaning."""
