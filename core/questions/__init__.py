"""Questions made from the visitor's own sentence: view -> questions whose answers stand clear; there may be none.

One file a stage. A question has a template, by which pages find its words in the visitor's language.
"""

from .question import CLEAR, Choice, Question, some

__all__ = ["CLEAR", "Choice", "Question", "some"]
