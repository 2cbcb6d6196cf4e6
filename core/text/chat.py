"""What a chat model is really given: the question in a template, and where the answer goes, still empty."""

SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"  # SmolLM2's own
WINDOW = 512  # tokens that the model is given at most; it was trained for 8,192
MARKS = BEGIN, END = "<|im_start|>", "<|im_end|>"


def chat(question: str, system: str = SYSTEM) -> str:
    """A question as SmolLM2 was trained to be asked (ChatML): who speaks and what, between marks that are tokens of
    their own. Marks that stand in the question itself count like the template's.

    >>> print(chat("Why is the sky blue?", system="Be brief."))
    <|im_start|>system
    Be brief.<|im_end|>
    <|im_start|>user
    Why is the sky blue?<|im_end|>
    <|im_start|>assistant
    <BLANKLINE>
    """
    turns = ("system", system), ("user", question)
    said = "".join(f"{BEGIN}{who}\n{what}{END}\n" for who, what in turns)
    return f"{said}{BEGIN}assistant\n"
