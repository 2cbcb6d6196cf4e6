"""The anatomy of a page: its stage, question, sections, exercises, slides, and what is taken away."""
