"""Texts, numbers as they look, terms, helps and samples: what is said, in either language."""
