"""A whole layer small enough to write down: two tokens, one head, three words. No bias anywhere, γ = 1, β = 0.

It needs torch and nothing else.
"""

import math
from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

EPSILON = 1e-5


def small_layer(given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """From X to the probabilities of three words, every state by name (Vaswani et al. 2017, 3.1 to 3.4).

    X [2, 4]; WQ, WK, WV [4, 2]; WO [2, 4]; W1, W2 [4, 4]; E [3, 4], a row a word. Any of them may have more dimensions
    in front: as many layers at once.
    """
    x = given["X"]
    q, k, v = x @ given["WQ"], x @ given["WK"], x @ given["WV"]  # 2, 2
    products = q @ k.transpose(-1, -2)  # query, key
    scores = products / math.sqrt(q.shape[-1])
    weights = torch.softmax(scores, dim=-1)  # rows add up to 1
    context = weights @ v  # 2, 2
    attended = context @ given["WO"]  # 2, 4
    residual = x + attended
    normed = functional.layer_norm(residual, residual.shape[-1:], eps=EPSILON)
    hidden = torch.relu(normed @ given["W1"])  # 2, 4
    fed = hidden @ given["W2"]  # 2, 4
    residual2 = normed + fed
    output = functional.layer_norm(residual2, residual2.shape[-1:], eps=EPSILON)
    logits = output @ given["E"].transpose(-1, -2)  # token, word
    return {
        "Q": q, "K": k, "V": v, "products": products, "scores": scores, "weights": weights, "context": context,
        "attended": attended, "residual": residual, "normed": normed, "hidden": hidden, "fed": fed,
        "residual2": residual2, "output": output, "logits": logits, "probabilities": torch.softmax(logits, dim=-1),
    }  # fmt: skip


def loss_of(made: Mapping[str, Tensor], target: int) -> Tensor:
    """How surprised the layer is by the word that follows the last token: −log of its probability."""
    return -torch.log_softmax(made["logits"][..., -1, :], dim=-1)[..., target]
