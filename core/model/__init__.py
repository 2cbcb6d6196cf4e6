"""The Transformer itself, written to be read: one small file a concept, torch and nothing else.

Shapes stand at the ends of lines. Batch is always one and written as `1`; `n` is the number of tokens.
"""
