"""The anatomy of a page: its stage, question, sections, terms, exercises, slides, and what is taken away."""
