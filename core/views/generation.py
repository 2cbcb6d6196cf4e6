"""What the generation stage shows: a prompt as the model reads it, and what the model writes after it, step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..text.byte_pairs import BytePairs
from ..text.chat import chat
from ..text.library import LibraryTokenizer
from ..text.token import Token
from ..writing import Sampling, Step, Writing
from ..zoo import Model

MOST = 96  # tokens that are written


@dataclass(frozen=True, eq=False)
class GenerationView:
    """One writing. `text` is what was typed; `prompt` what the model reads of it, in a chat within its template."""

    model: Model
    text: str
    chat: bool
    prompt: str
    tokens: tuple[Token, ...]  # of the prompt
    writing: Writing

    @property
    def nbytes(self) -> int:
        return self.writing.nbytes

    @property
    def sampling(self) -> Sampling:
        return self.writing.sampling

    @property
    def room(self) -> int:
        """How many tokens can be written at most."""
        return self.writing.longest - len(self.tokens)

    def steps(self, count: int) -> tuple[Step, ...]:
        """The first so many, as far as they are there."""
        return self.writing.made[:count]

    def likeliest(self, step: Step) -> list[int]:
        """The tokens that may be written, the likeliest first, not more than a step keeps."""
        return [id for id in step.best if id not in self.writing.never]

    def ids(self, steps: Sequence[Step]) -> list[int]:
        """The prompt, and after it these steps."""
        return [*(token.id for token in self.tokens), *(step.id for step in steps)]

    def whole(self, steps: Sequence[Step]) -> str:
        """The same as a text."""
        return self.prompt + self.continuation(steps)

    def continuation(self, steps: Sequence[Step]) -> str:
        """What was written alone, as a text."""
        return self.model.tokenizer.decode(step.id for step in steps)  # type: ignore[union-attr]

    def by(self, sampling: Sampling) -> "GenerationView":
        """The same prompt, gone on with otherwise."""
        return generation_view(self.model, self.text, sampling, self.chat)


def prompt_of(text: str, asked: bool) -> str:
    return chat(text) if asked else text


def generation_view(
    model: Model, text: str, sampling: Sampling, asked: bool = False, most: int = MOST, cached: bool = True
) -> GenerationView:
    """A text that is to be gone on with, or `asked` in the template of a chat model: by so many tokens at `most`.
    Nothing is written yet.

    Raises InputError where the model does not write, or where the text leaves no room.
    """
    prompt = prompt_of(text, asked)
    tokens = model.tokenizer.trace(prompt).tokens
    end, never = closing(model)
    longest = min(model.config.positions, len(tokens) + most)
    ids = [token.id for token in tokens]
    writing = Writing(model, ids, sampling, end=end, never=never, longest=longest, cached=cached, watched=cached)
    return GenerationView(model, text, asked, prompt, tokens, writing)


def kept(view: GenerationView, count: int) -> np.ndarray:
    """float32 [2, head, layer, token]: how long each key and each value is that is kept of the first `count` tokens.
    Heads that share them have one."""
    cache = view.writing.cache
    assert cache is not None
    held = {tap.name: tensor[0, :, :count] for tap, tensor in [*cache.tensors.items()]}
    places = [place for place in view.model.reader.sublayers if place.kind]
    each = [[held[place.tap(word)].norm(dim=-1).numpy() for place in places] for word in ("key", "value")]
    return np.stack(each).swapaxes(1, 2)


def products(model: Model, new: int, before: int = 0) -> int:
    """Multiply-adds of one pass that reads `new` tokens behind others whose keys and values are kept: every product of
    two matrices, counted in full, those that the mask hides, too. Of the output, the last row alone."""
    from torch import nn

    config = model.config
    linear = (part for name, part in model.parts.items() if isinstance(part, nn.Linear) and name != "output.project")
    mixed = 2 * config.layers * config.heads * config.d_head * (before + new)
    return new * (sum(part.weight.numel() for part in linear) + mixed) + config.vocab * config.d_model


def closing(model: Model) -> tuple[int | None, tuple[int, ...]]:
    """The token after which nothing comes, and those that nobody writes: they fill up, or stand for what is unknown."""
    tokenizer = model.tokenizer
    end = getattr(tokenizer, "eos_id", None)
    others = {getattr(tokenizer, name, -1) for name in ("pad_id", "unk_id", "bos_id")}
    return end, tuple(sorted(others - {end, -1}))


def agreed(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens are the same from the first on.

    >>> agreed([4, 5, 6], [4, 5, 7, 8])
    2
    """
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def spelt(model: Model, id: int) -> str:
    """What a token stands for in a text; bytes that are no whole character by what they are called."""
    tokenizer = model.tokenizer
    if isinstance(tokenizer, LibraryTokenizer):
        text = tokenizer.decode([id])
        return tokenizer.names[id] if "\ufffd" in text else text
    if not isinstance(tokenizer, BytePairs):
        return tokenizer.pieces[id]
    try:
        return tokenizer.bytes_of(id).decode()
    except UnicodeDecodeError:
        return tokenizer.names[id]


def special(model: Model, id: int) -> bool:
    """Whether it is a mark, no part of a text."""
    return model.tokenizer.pieces[id] in model.tokenizer.specials
