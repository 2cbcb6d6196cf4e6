"""A grammar that makes Chinese sentences and their English: what the translator learns, and all it knows.

>>> from core import grammar
>>> sentence = grammar.build(grammar.parse("我昨天在北京买了三本书"))
>>> sentence.en
'I bought three books in Beijing yesterday'
>>> [(word.text, "".join(sentence.zh[i] for i in word.source)) for word in sentence.target][1:4]
[('bought', '买'), ('three', '三'), ('books', '书')]
"""

from .english import FUNCTION_WORDS
from .forms import FORMS
from .knowledge import changed, known, options, vocabulary
from .parse import parse, parses
from .sentence import Parts, Sentence, TargetWord, build, sample

__all__ = [
    "FORMS",
    "FUNCTION_WORDS",
    "Parts",
    "Sentence",
    "TargetWord",
    "build",
    "changed",
    "known",
    "options",
    "parse",
    "parses",
    "sample",
    "vocabulary",
]
