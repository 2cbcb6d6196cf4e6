""" "What if" changes to a running model, as named constructors. The model itself is never changed.

The id determines the edit, and `parse` reads it back: ids travel in the address and belong to a cache's key. In ids
layers and heads are counted from 1, as people do. Each constructor raises ValueError for numbers and names that no
model could have; `Edit.check` refuses an edit that would change nothing in one model, which lacks the place it names.
"""

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from inspect import signature
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from .errors import InputError
from .model.places import ATTENTIONS, SUBLAYERS, Place, attention_at

if TYPE_CHECKING:
    from torch import Tensor

    from .model.config import Config

MOST = 10_000  # layers, heads, the width of a head: more than any model has
SEEDS = 2**32
LONGEST = 8192  # positions that can be shuffled
TEXT = "~"  # before a text in an id


@dataclass(frozen=True)
class Edit:
    """Where a tap's name matches `pattern`, its tensor goes through `change` before it goes on.

    `change` is given the tensor with its batch dimension and must leave its shape. `needs` says, for settings of a
    `Config`, which values a model must have for the edit to mean something there. What takes a state from the run of
    an `other` text, at a token, is bound to that run when it acts: see `core.capture.fitting`. `moves` says that it
    does no more to a number than multiply it, or put another of the same tensor in its place.
    """

    id: str
    pattern: str
    change: "Callable[[Tensor], Tensor]" = field(compare=False)
    needs: Mapping[str, range] = field(default_factory=dict, compare=False)
    other: tuple[str, int] | None = None
    moves: bool = field(default=True, compare=False)

    def finds(self, taps: Collection[str]) -> bool:
        """Whether one of these taps is changed."""
        return self.pattern in taps or any(fnmatchcase(tap, self.pattern) for tap in taps)

    def check(self, model: str, taps: Collection[str], config: "Config") -> None:
        """Raise InputError where a model with these taps and this config has nothing that the edit changes."""
        if not self.finds(taps):
            raise InputError("edit_without_tap", id=self.id, model=model, pattern=self.pattern)
        for setting, values in self.needs.items():
            if (found := getattr(config, setting)) not in values:
                raise InputError("edit_outside", id=self.id, model=model, setting=setting, value=found)

    @property
    def known(self) -> bool:
        """Whether its id says what it is. One's own may do anything."""
        try:
            return parse(self.id).pattern == self.pattern
        except InputError:
            return False

    def __reduce__(self) -> "tuple[Callable[[str], Edit], tuple[str]]":
        """Its id is all that is stored. Raises InputError where that does not say what the edit is."""
        if not self.known:
            raise InputError("edit_not_portable", id=self.id)
        return parse, (self.id,)


def mute(kind: str, layer: int, head: int) -> Edit:
    """Let one head say nothing: its context is zero, so it adds nothing to what W^O joins (zero ablation).

    `kind` is encoder, self, cross or causal (a decoder alone); layer and head are counted from 1.
    """
    return of_head("mute", kind, layer, head, zeros)


def average(kind: str, layer: int, head: int) -> Edit:
    """Let one head say to every token the same: the mean of what it says to the tokens of this text (mean ablation).
    Named as in `mute`."""
    return of_head("average", kind, layer, head, lambda one: one.mean(2, keepdim=True), moves=False)


def of_head(
    name: str, kind: str, layer: int, head: int, change: "Callable[[Tensor], Tensor]", moves: bool = True
) -> Edit:
    """`change` for the context of one head, [1, 1, query, d_head]."""
    if kind not in ATTENTIONS:
        raise ValueError(f"no attention is called {kind}")

    def changed(context: "Tensor") -> "Tensor":  # 1, head, query, d_head
        context = context.clone()
        context[:, head - 1 : head] = change(context[:, head - 1 : head])
        return context

    id, tap = f"{name}:{kind}.{at(layer)}.{at(head)}", attention_at(kind, layer - 1).tap("context")
    return Edit(id, tap, changed, {"heads": range(head, MOST + 1)}, moves=moves)


def mute_neuron(stack: str, layer: int, neuron: int) -> Edit:
    """Let one neuron of a feed-forward network give 0 for every token. `stack` is encoder or decoder; layer and neuron
    are counted from 1."""
    return of_neuron("mute_neuron", stack, layer, neuron, zeros)


def average_neuron(stack: str, layer: int, neuron: int) -> Edit:
    """Let one neuron give every token the same: its mean over the tokens of this text. Named as in `mute_neuron`."""
    return of_neuron("average_neuron", stack, layer, neuron, lambda one: one.mean(1, keepdim=True), moves=False)


def of_neuron(
    name: str, stack: str, layer: int, neuron: int, change: "Callable[[Tensor], Tensor]", moves: bool = True
) -> Edit:
    """`change` for what one neuron gives, [1, token, 1]."""
    if stack not in SUBLAYERS:
        raise ValueError(f"no stack is called {stack}")

    def changed(activated: "Tensor") -> "Tensor":  # 1, token, d_ff
        activated = activated.clone()
        activated[..., neuron - 1 : neuron] = change(activated[..., neuron - 1 : neuron])
        return activated

    id, tap = f"{name}:{stack}.{at(layer)}.{at(neuron)}", Place(stack, layer - 1, "feedforward").tap("activated")
    return Edit(id, tap, changed, {"d_ff": range(neuron, MOST + 1)}, moves=moves)


def drop_sqrt_dk(d_head: int) -> Edit:
    """Leave the scores as q · k, not divided by √d_head, in every attention of the model.

    The scores do not tell how wide a head is, so it is said: `config.d_head`.
    """
    needs = {"d_head": range(at(d_head), d_head + 1)}
    return Edit(f"drop_sqrt_dk:{d_head}", "*attention.scores", lambda scores: scores * math.sqrt(d_head), needs)


def apply_sqrt_d() -> Edit:
    """Multiply the token vectors by √d, for a model that does not. One that does would do it twice."""
    return Edit("apply_sqrt_d", "*embedding.token", lambda token: token * math.sqrt(token.shape[-1]))


def drop_sqrt_d() -> Edit:
    """Let the token vectors enter the sum as the table has them, for a model that multiplies them by √d."""
    return Edit("drop_sqrt_d", "*embedding.scaled", lambda scaled: scaled / math.sqrt(scaled.shape[-1]))


def lift_mask() -> Edit:
    """Let every token of a decoder look at those after it, as if there were no causal mask. Padding stays hidden.

    The last token may look at everything but padding, with the mask too: so its row is what remains.
    """
    return Edit("lift", "decoder.*.[as]*.mask", lambda mask: mask[..., -1:, :].expand_as(mask))


def see_padding() -> Edit:
    """Let every token of the encoder look at padding, too, as if there were no padding mask."""
    return Edit("see_padding", "encoder.*.attention.mask", zeros)


def cut(stack: str | None = None, layer: int | None = None, sublayer: str | None = None) -> Edit:
    """Carry nothing past a sub-layer, so that only what it wrote goes on; past any of them if none is named.

    `stack` is encoder or decoder, `layer` is counted from 1, `sublayer` is named as its taps are.
    """
    if stack is None or layer is None or sublayer is None:
        if (stack, layer, sublayer) != (None, None, None):
            raise ValueError("a sub-layer has a stack, a layer and a name")
        return Edit("cut", "*.skip", zeros)
    if sublayer not in SUBLAYERS.get(stack, ()):
        raise ValueError(f"{stack} has no {sublayer}")
    return Edit(f"cut:{stack}.{at(layer)}.{sublayer}", Place(stack, layer - 1, sublayer).tap("skip"), zeros)


def silence(stack: str, layer: int, sublayer: str) -> Edit:
    """Let a sub-layer write nothing, so that what enters it goes on as it is. Named as in `cut`."""
    if sublayer not in SUBLAYERS.get(stack, ()):
        raise ValueError(f"{stack} has no {sublayer}")
    return Edit(f"silence:{stack}.{at(layer)}.{sublayer}", Place(stack, layer - 1, sublayer).tap("output"), zeros)


def take(layer: int, token: int, text: str) -> Edit:
    """Put the state of a token (from 0) after a layer of the decoder (from 1) in the run of another text into the place
    of the same token's in this one. In the id the text is written as in an address, after a "~"."""
    tap = Place("decoder", at(layer) - 1).tap("output")
    return replace(patch(tap, token, text), id=f"take:{layer}.{token}.{as_argument(text)}")


def patch(tap: str, token: int, source: str) -> Edit:
    """Put what a token (from 0) has at a tap in the run of the text `source` into the place of the same token's in this
    one (activation patching: Meng et al. 2022). In the id both are written as in an address, after a "~".

    >>> patch("encoder.2.output", 5, "A dog.").id
    'patch:~encoder%2E2%2Eoutput.5.~A%20dog%2E'
    """
    if not re.fullmatch(r"[\w.]+", tap) or not 0 <= token < LONGEST:
        raise ValueError(f"no tap is called {tap}, or no token has the number {token}")
    id = f"patch:{as_argument(tap)}.{token}.{as_argument(source)}"
    return Edit(id, tap, zeros, other=(source, token))


def zero_positions() -> Edit:
    """Say nothing about where a token stands, in encoder and decoder."""
    return Edit("zero", "*embedding.position", zeros)


def shuffle_positions(seed: int) -> Edit:
    """Deal the positions of a sentence out to its tokens in another order, in encoder and decoder: see `shuffled`."""
    shuffled(0, seed)
    return Edit(f"shuffle:{seed}", "*embedding.position", lambda rows: rows[:, list(shuffled(rows.shape[1], seed))])


def restart_positions(most: int) -> Edit:
    """Count the positions of the encoder from 0 again after every `most` tokens, as if each part were a text."""
    at(most)
    return Edit(f"restart:{most}", "embedding.position", lambda rows: rows[:, [i % most for i in range(rows.shape[1])]])


def apart(most: int, reach: int) -> Edit:
    """Let whoever reads the text read parts of `most` tokens: each sees itself and the `reach` parts before it, 0 or 1.

    What the reader could not see without that, it does not see in a part either.
    """
    if reach not in (0, 1):
        raise ValueError(f"{reach} parts back: 0 or 1")

    def change(mask: "Tensor") -> "Tensor":
        from .model.recurrence import parts_apart

        return mask.masked_fill(parts_apart(mask.shape[-1], at(most), reach) < 0, -math.inf)

    return Edit(f"apart:{at(most)}.{reach}", "*.attention.mask", change)


def shuffled(n: int, seed: int) -> tuple[int, ...]:
    """The position each of `n` tokens is given: 0 to n - 1, in the order of this seed.

    >>> shuffled(5, 7) == tuple(range(5)), sorted(shuffled(5, 7))
    (False, [0, 1, 2, 3, 4])

    One more token takes a place between those there are and leaves their order as it was, so that a translation, which
    grows while it is written, is not dealt out anew with every word.
    """
    from torch import Generator, randperm

    if not (0 <= n <= LONGEST and 0 <= seed < SEEDS):
        raise ValueError(f"{n} positions in order {seed}: at most {LONGEST}, a seed from 0 to {SEEDS - 1}")
    cards = randperm(LONGEST, generator=Generator().manual_seed(seed))[:n]
    return tuple(cards.argsort().argsort().tolist())


def zeros(x: "Tensor") -> "Tensor":
    """Zeros of the same shape."""
    return x.new_zeros(x.shape)


def at(number: int) -> int:
    """A layer, a head, a width: itself, if there can be one."""
    if not 1 <= number <= MOST:
        raise ValueError(f"{number} is not between 1 and {MOST}")
    return number


CONSTRUCTORS: dict[str, Callable[..., Edit]] = {
    "mute": mute,
    "average": average,
    "mute_neuron": mute_neuron,
    "average_neuron": average_neuron,
    "drop_sqrt_dk": drop_sqrt_dk,
    "apply_sqrt_d": apply_sqrt_d,
    "drop_sqrt_d": drop_sqrt_d,
    "lift": lift_mask,
    "see_padding": see_padding,
    "cut": cut,
    "silence": silence,
    "take": take,
    "patch": patch,
    "zero": zero_positions,
    "shuffle": shuffle_positions,
    "restart": restart_positions,
    "apart": apart,
}


def forms() -> tuple[str, ...]:
    """How the ids are written, each with what is to be filled in.

    >>> forms()[:2]
    ('mute:<kind>.<layer>.<head>', 'average:<kind>.<layer>.<head>')
    """
    found = []
    for name, make in CONSTRUCTORS.items():
        parameters = signature(make).parameters.values()
        if all(parameter.default is not parameter.empty for parameter in parameters):
            found.append(name)
        if parameters:
            found.append(f"{name}:{'.'.join(f'<{parameter.name}>' for parameter in parameters)}")
    return tuple(found)


def parse(id: str) -> Edit:
    """The edit with this id.

    >>> parse("mute:encoder.3.9").pattern
    'encoder.2.attention.context'
    >>> parse("mute:encoder.3").id
    Traceback (most recent call last):
    core.errors.InputError: unknown edit: id = 'mute:encoder.3'

    Raises:
        InputError: there is none.
    """
    name, colon, rest = id.partition(":")
    try:
        arguments = [argument(word) for word in rest.split(".")] if colon else []
        edit = CONSTRUCTORS[name](*arguments)
    except (KeyError, TypeError, ValueError):
        raise InputError("unknown_edit", id=id) from None
    if edit.id != id:
        raise InputError("unknown_edit", id=id)
    return edit


def as_argument(text: str) -> str:
    """A text as a part of an id."""
    return f"{TEXT}{quote(text, safe='').replace('.', '%2E')}"


def argument(word: str) -> int | str:
    """A part of an id: a number, a name, or a text."""
    if word.startswith(TEXT):
        return unquote(word.removeprefix(TEXT))
    return int(word) if word.isdecimal() else word


def read(edits: "str | Edit | Iterable[str | Edit]") -> tuple[Edit, ...]:
    """Edits, each given as it is or by its id; one may stand alone.

    >>> [edit.pattern for edit in read(["mute:encoder.3.9", zero_positions()])]
    ['encoder.2.attention.context', '*embedding.position']

    Raises InputError for an id that no edit has.
    """
    listed = (edits,) if isinstance(edits, str | Edit) else edits
    return tuple(parse(edit) if isinstance(edit, str) else edit for edit in listed)
