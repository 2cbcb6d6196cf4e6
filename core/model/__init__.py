"""The Transformer itself, written to be read: one small file a concept, torch and nothing else.

Shapes stand at the ends of lines. Batch is written as `1`: it is one wherever numbers are looked at, and more only in
training; `n` is the number of tokens.
"""
