"""Claims about norms, attention, heads, and what they cost."""

import numpy as np
import torch
from torch import nn

from ..capture import capture
from ..lessons import size
from ..lessons.size import MATRICES, MIXING, Shape, share, wider
from ..lessons.small_layer import loss_of, small_layer
from ..model.attention import MultiHeadAttention
from ..model.config import Config
from ..model.places import norms as norms_of
from ..views import small_layer as small
from ..views.attention import attention_view, taps
from ..views.by_hand import by_hand
from ..views.joined import cut
from ..views.masks import masked
from ..views.scaling import drawn
from ..views.vectors import cosines
from .claim import CAT, Facts, Models

LAYER, HEAD, TOKEN = 2, 8, 5  # L3H9 and the second "the"


def norms(models: Models) -> Facts:
    """How many norms each model has, and how many of them stand before the first layer."""
    facts: dict[str, int] = {}
    for name in ("minilm", "translator"):
        found = [str(place) for place in norms_of(models(name).tap_dims)]
        facts |= {name: len(found), f"{name}_first": sum(place.startswith("embedding") for place in found)}
    return facts


def biased(models: Models) -> Facts:
    """LayerNorm of 1, 2, 3, 4."""
    hand = by_hand(np.array([1.0, 2, 3, 4]), 1e-5)
    assert hand.unbiased is not None
    return {
        "biased": float(hand.normalized[0]), "theirs": float(hand.theirs[0]),
        "unbiased": float(hand.centred[0] / np.sqrt(hand.unbiased + 1e-5)),
        "variance": hand.variance, "other": hand.unbiased,
    }  # fmt: skip


def example(models: Models) -> Facts:
    """The two tokens of the example, and the softmax that gives what was printed."""
    states = small.states(small.numbers({}))
    halved = torch.softmax(states_row(states["products"]) / 2, 0)
    return {
        "score": float(states["scores"][0, 0]), "own": float(states["weights"][0, 0]),
        "other": float(states["weights"][0, 1]), "context": float(states["context"][0, 0]),
        "halved": float(halved[0]), "halved_other": float(halved[1]),
    }  # fmt: skip


def states_row(products: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(products[0].copy())


def variance(models: Models) -> Facts:
    """q·k of numbers drawn from N(0, 1), at two widths, and divided by √d_k."""
    made = drawn()
    found = {f"{name}_{d}": float(getattr(made, name)[d - 1]) for d in (64, 128) for name in ("variance", "scaled")}
    return {**found, "largest": float(made.largest[63]), "largest_scaled": float(made.largest_scaled[63])}


def rows(models: Models) -> Facts:
    """What the rows and the columns of one head's weights add up to, as it is and under the causal mask."""
    view = of_layer(models)
    weights, causal = (masked(view, HEAD, mask).weights.astype(np.float64) for mask in ("none", "causal"))
    columns = weights.sum(0)
    return {
        "off": float(np.abs(weights.sum(1) - 1).max()), "off_causal": float(np.abs(causal.sum(1) - 1).max()),
        "later": float(np.triu(causal, 1).max()), "least": float(columns.min()), "most": float(columns.max()),
    }  # fmt: skip


def of_layer(models: Models):
    """The example in the layer that is looked at."""
    model = models("minilm")
    return attention_view(capture(model, CAT, only=taps(model, LAYER)), model, LAYER)


def shapes(models: Models) -> Facts:
    """A head's matrices and what they make, in MiniLM."""
    config = models("minilm").config
    n = len(models("minilm").tokenizer.encode(CAT))
    return {"matrix": f"{config.d_model} × {config.d_head}", "made": f"{n} × {config.d_head}", "tokens": n}


def gradients(models: Models) -> Facts:
    """The gradient of V with that of α let through, and with it held back: the two do not meet."""
    given = {name: torch.tensor(m, dtype=torch.float64) for name, m in small.numbers({}).items()}
    given = {name: matrix.requires_grad_() for name, matrix in given.items()}
    made = small_layer(given)
    of_v, of_alpha, of_context = torch.autograd.grad(loss_of(made, 2), [made["V"], made["weights"], made["context"]])
    return {
        "v": float(of_v.norm()), "alpha": float(of_alpha.norm()),
        "from_context": float((made["weights"].T @ of_context - of_v).abs().max().detach()),
        "alpha_from_context": float((of_context @ made["V"].T - of_alpha).abs().max().detach()),
    }  # fmt: skip


def slices(models: Models) -> Facts:
    """One head's query, cut after the projection, by the head's own matrix, and of x cut first."""
    config = models("minilm").config
    ways = cut(of_layer(models), HEAD, TOKEN)
    return {
        "same": float(np.abs(ways.after - ways.own).max()), "off": float(np.abs(ways.after - ways.before).max()),
        "d_model": config.d_model, "d_head": config.d_head,
    }  # fmt: skip


def own_matrices(models: Models) -> Facts:
    """Every head's query of the same x by its own W_i^Q, against the captured one; how alike those matrices are."""
    view = of_layer(models)
    projection, x = view.projections["query"], view.asking.astype(np.float64)
    own = projection.weight.astype(np.float64).reshape(view.heads, view.d_head, -1)  # head, d_head, d_model
    bias = projection.bias.astype(np.float64).reshape(view.heads, 1, -1)
    made = x @ own.transpose(0, 2, 1) + bias  # head, token, d_head
    alike = np.abs(cosines(own.reshape(view.heads, -1)) - np.eye(view.heads))
    return {
        "heads": view.heads, "shape": " × ".join(map(str, own[0].T.shape)),
        "difference": float(np.abs(made - view.query).max()), "alike": float(alike.max()),
    }  # fmt: skip


def matrices(models: Models) -> Facts:
    """Numbers in the matrices of an attention with d = 512 and 8 heads, biases left out."""
    attention = MultiHeadAttention(Config(vocab=1, d_model=512, heads=8, layers=1, d_ff=1, positions=1, segments=0))
    sizes = [weight.numel() for weight in attention.parameters() if weight.dim() == 2]
    return {"head": 3 * sizes[0] // 8, "heads": 3 * sizes[0], "all": sum(sizes)}


def width(models: Models) -> Facts:
    """What a d twice as large costs: BERT-large's 1024 against 2048, at 512 tokens."""
    one = Shape("encoder", 30_522, 1024, 16, 24, 4096, 512, 1, True)
    two = wider(one, 2048)
    before, after = size.work(one), size.work(two)
    table = [next(count.value for count in size.parameters(of) if count.id == "token") for of in (one, two)]
    return {
        "matrices": share(after, MATRICES) / share(before, MATRICES),
        "mixing": share(after, MIXING) / share(before, MIXING),
        "table": table[1] / table[0],
    }


def square(models: Models) -> Facts:
    """QKᵀ of one head, d_k = 64, and the matrices around it, for 512 tokens and for twice as many."""
    one, two = (size.work(Shape("encoder", 30_522, 512, 8, 1, 2048, n, 1, True)) for n in (512, 1024))
    scores = [next(p.value for count in of for p in count.products if p.id == "scores") // 8 for of in (one, two)]
    return {"once": scores[0], "twice": scores[1], "ratio": scores[1] / scores[0],
            "matrices": share(two, MATRICES) / share(one, MATRICES)}  # fmt: skip


def tied(models: Models) -> Facts:
    """V = 30,000 and d = 768, counted on tensors that hold no numbers; the shape from PyTorch's own module."""
    table, output = (torch.empty(30_000, 768, device="meta") for _ in range(2))
    bias = torch.empty(len(output), device="meta")
    apart = sum(x.numel() for x in (table, output, bias))
    return {
        "shape": " × ".join(map(str, nn.Linear(768, 30).weight.shape)),
        "apart": apart,
        "tied": apart - output.numel(),
        "bias": bias.numel(),
        "said": 30_000 * 768 + 768,
    }
