"""What some attention heads of MiniLM do on most everyday sentences.

previous   every token looks at the one before
next       every token looks at the one after
noun       a determiner looks at its noun
same       a repeated content word looks at its double; "the" and the like do not
pieces     a piece of a word (##ization) looks at the other pieces of it
sink       nearly everyone looks at [CLS]
uniform    everyone looks nearly evenly at everything

tests/core/test_heads.py measures each claim, on sentences that were not chosen for it.
"""

# (layer, head), both counted from 1, as people count them
KNOWN = {
    (1, 1): "uniform",
    (1, 3): "previous",
    (1, 4): "uniform",
    (2, 9): "next",
    (2, 10): "pieces",
    (3, 9): "noun",
    (3, 10): "same",
    (3, 12): "pieces",
    (5, 6): "sink",
}
