"""A number on a page -> the steps that make it, recomputed in float64 from captured inputs.

One file a stage. A step has an id, by which pages find its operation and its reason in the visitor's language.
"""

from core.derivation.steps import Derivation, Step, Term

__all__ = ["Derivation", "Step", "Term"]
