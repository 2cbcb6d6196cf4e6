"""Claims about training, about today's models, and about what a file of weights holds."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import torch
from torch import nn

from ..capture import capture
from ..lessons.quantise import rounded
from ..lessons.size import BYTES, Shape, longer, memory, parameters, share, total, work
from ..model.position import waves
from ..model.taps import editing, name_taps
from ..training.recorded import Run, families, family
from ..training.runs import begin, losses, tensors
from ..training.tasks import batch
from ..views.descent import STEPS, descend
from ..views.size import known, of_model
from ..views.vectors import cosine
from ..zoo import Model
from .claim import CHINESE, Facts, Models

SENTENCE = "The cat sat on the mat."
LAST = 20  # steps over which a training loss is averaged: one alone is the luck of its batch


def rate(models: Models) -> Facts:
    """One weight after as many steps by each learning rate; by the largest, between what over the last half of them."""
    small, usual, large = (descend(rate).losses for rate in (0.1, 1.0, 10.0))
    last = {"small": small[STEPS], "usual": usual[STEPS]}
    late = large[STEPS // 2 + 1 : STEPS + 1]  # it goes up and down: one step alone would be chance
    bounds = {"large_low": late.min(), "large_high": late.max()}
    return {"start": float(usual[0]), **{name: float(loss) for name, loss in {**last, **bounds}.items()}}


def by_heart(models: Models) -> Facts:
    """Without dropout and with it: the loss on the lines trained on, and on others."""
    runs = family("dropout")
    found = {"none": runs["drop0"], "some": runs["drop10"]}
    own = {f"{name}_own": float(run.loss[-LAST:].mean()) for name, run in found.items()}
    return {**own, **{f"{name}_held": mean(run) for name, run in found.items()}}


def mean(run: Run) -> float:
    """The last loss on lines held out, over all initial weights."""
    return float(np.mean(run.ends))


def heads(models: Models) -> Facts:
    """As many weights, in 1, 2, 4 and 8 heads."""
    return {f"{name}_{end}": of(run.ends) for name, run in family("heads").items() for end, of in LOW_HIGH}


LOW_HIGH = (("low", min), ("high", max))


def residual(models: Models) -> Facts:
    """The gradient of the first layer before any step, and the last loss, of six layers."""
    runs = family("residual")
    gradients = {name: of_first_layer(f"{name}6") for name in ("kept", "cut")}
    return {**gradients, "kept_held": mean(runs["kept6"]), "cut_held": mean(runs["cut6"])}


def of_first_layer(name: str) -> float:
    """The length of the gradient of the first batch by the first layer's parameters."""
    setting = families()["residual"][name]
    network = begin(setting)
    rows, asked = tensors(batch(setting.task, setting.seed, 1, setting.batch), setting.task)
    own = [parameter for path, parameter in network.named_parameters() if ".0." in path]
    with torch.enable_grad(), editing(setting.edits):
        loss = losses(network(rows), rows, asked).sum() / asked.sum()
        found = torch.autograd.grad(loss, own)
    return float(torch.cat([gradient.flatten() for gradient in found]).norm())


def most(models: Models) -> Facts:
    """Attention's and the feed-forward networks' share of the parameters."""
    shapes = known({})
    return {
        f"{name}_{part}": percent(shapes[id].shape, part)
        for name, id in (("gpt3", "gpt3"), ("llama", "llama_70b"))
        for part in ("attention", "feedforward")
    }


def percent(shape: Shape, part: str) -> str:
    counts = parameters(shape)
    return f"{share(counts, (part,)) / total(counts):.0%}"


def doubled(models: Models) -> Facts:
    """How many times the multiply-adds a text takes that is twice as long."""
    shape = of_model(models("minilm"))

    def times(length: int) -> float:
        once, twice = (total(work(longer(shape, n))) for n in (length, 2 * length))
        return twice / once

    return {"short": times(9), "full": times(256), "long": times(100_000)}


def saved(models: Models) -> Facts:
    """A table of sinusoids kept as a buffer, as it is by default, and as one that is not to be saved."""
    rows, d = 5000, 512
    table = waves(torch.arange(rows), d)
    sizes = {}
    for name, persistent in (("usual", True), ("unsaved", False)):
        module = nn.Module()
        module.register_buffer("positions", table, persistent=persistent)
        sizes[name] = sum(array.numel() for array in module.state_dict().values())
    return {"rows": rows, "d": d, "parameters": sum(p.numel() for p in module.parameters()), **sizes}


def extra(models: Models) -> Facts:
    """What a layer of the translator's decoder has beside the encoder's; which of its attentions covers what comes."""
    run = capture(models("translator"), CHINESE, only=("*.mask",))
    covered = {
        name: int(np.isinf(run[f"decoder.0.{name}.mask"]).sum()) for name in ("self_attention", "cross_attention")
    }
    parts = [parts_of(models("translator").tap_dims, stack) for stack in ("encoder", "decoder")]
    return {
        "encoder": parts[0],
        "decoder": parts[1],
        "self": covered["self_attention"],
        "cross": covered["cross_attention"],
    }


def parts_of(taps: Iterable[str], stack: str) -> str:
    """The parts of a stack's first layer, by name."""
    paths = (tap.split(".") for tap in taps if tap.startswith(f"{stack}.0."))
    return ", ".join(dict.fromkeys(path[2] for path in paths if len(path) > 3))


def quantised(models: Models) -> Facts:
    """Bytes of MiniLM's weights, as numbers of four bytes and of one; and how like its own its last states remain with
    matrices of 8 and of 4 bits."""
    model = models("minilm")
    shape, states = of_model(model), last_states(model)
    alike = {f"alike_{bits}": float(cosine(states, last_states(in_bits(model, bits))).mean()) for bits in (8, 4)}
    held = {name: next(c.value for c in memory(shape, name) if c.id == "weights") for name in ("fp32", "int8")}
    return {**held, "times": held["fp32"] / held["int8"], "each": BYTES["fp32"], **alike}


def in_bits(model: Model, bits: int) -> Model:
    """The same model with every matrix rounded to so many bits; norms and biases stay as they are."""
    network = deepcopy(model.network)
    with torch.no_grad():
        for parameter in network.parameters():
            if parameter.ndim > 1:
                parameter.copy_(torch.from_numpy(rounded(parameter.numpy(), bits)))
    return replace(model, network=network.eval(), tap_dims=name_taps(network))


def last_states(model: Model) -> np.ndarray:
    """[token, d] of the claims' own sentence."""
    tap = model.reader.exit
    return capture(model, SENTENCE, only=(tap,))[tap]
