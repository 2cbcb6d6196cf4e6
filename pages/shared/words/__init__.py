"""Texts, numbers as they look, and samples: what is said, in either language."""
