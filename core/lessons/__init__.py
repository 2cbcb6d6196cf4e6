"""Code that is shown and run, but that no Config chooses: other norms, code as others publish it, a file to take away.

It stands apart so that `core/model` holds what the models are made of, and nothing else.
"""
