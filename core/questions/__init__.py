"""Questions made from the visitor's own sentence: view -> a question whose answer stands clear, or none.

One file a stage. A question has a template, by which pages find its words in the visitor's language.
"""

from core.questions.question import CLEAR, Choice, Question

__all__ = ["CLEAR", "Choice", "Question"]
