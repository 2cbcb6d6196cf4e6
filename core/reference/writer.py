"""A decoder alone, as torch.nn has it: the first loss of a small training, from the same weights and the same batch."""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn import functional

PROJECTIONS = ("to_query", "to_key", "to_value")


def first_loss(
    weights: Mapping[str, Tensor],
    rows: Tensor,
    asked: Tensor,
    *,
    heads: int,
    norm: str,
    position: str,
    root_k: bool,
    root_d: bool,
    residual: bool = True,
    feedforward: str = "relu",
) -> float:
    """The mean −ln p of the tokens asked for: rows, asked [line, token]. `weights` are ours, by our names."""
    table = weights["embedding.token_table.weight"]
    d, n = table.shape[1], rows.shape[1]
    x = functional.embedding(rows, table) * (d**0.5 if root_d else 1)
    if position == "sinusoidal":
        x = x + sinusoids(n, d)
    elif position == "learned":
        x = x + weights["embedding.position_table.table.weight"][:n]
    mask = nn.Transformer.generate_square_subsequent_mask(n)
    i = 0
    while f"encoder.{i}.feedforward.sublayer.widen.weight" in weights:
        theirs = layer(weights, f"encoder.{i}", d, heads, norm, root_k, feedforward)
        x = theirs(x, src_mask=mask) if residual else uncarried(theirs, x, mask)
        i += 1
    if norm == "pre":
        x = functional.layer_norm(x, (d,), weights["encoder.norm.gamma"], weights["encoder.norm.beta"], 1e-5)
    logits = x @ weights["output.weight"].T
    wanted = torch.where(asked, rows, -100)[:, 1:]
    return float(functional.cross_entropy(logits[:, :-1].flatten(0, 1), wanted.flatten()).detach())


def layer(
    weights: Mapping[str, Tensor], here: str, d: int, heads: int, norm: str, root_k: bool, feedforward: str = "relu"
) -> nn.TransformerEncoderLayer:
    """One layer of theirs with our weights. Left in training mode, where theirs takes no short cut."""
    theirs = nn.TransformerEncoderLayer(d, heads, 4 * d, dropout=0.0, batch_first=True, norm_first=norm == "pre")
    filled = {}
    for kind in ("weight", "bias"):
        parts = [weights[f"{here}.attention.sublayer.{projection}.{kind}"] for projection in PROJECTIONS]
        if not root_k:  # theirs always divides
            parts[0] = parts[0] * (d // heads) ** 0.5
        filled[f"self_attn.in_proj_{kind}"] = torch.cat(parts)
        filled[f"self_attn.out_proj.{kind}"] = weights[f"{here}.attention.sublayer.to_output.{kind}"]
        filled[f"linear1.{kind}"] = weights[f"{here}.feedforward.sublayer.widen.{kind}"]
        filled[f"linear2.{kind}"] = weights[f"{here}.feedforward.sublayer.narrow.{kind}"]
    for number, part in ((1, "attention"), (2, "feedforward")):
        if norm == "none":
            setattr(theirs, f"norm{number}", nn.Identity())
        else:
            filled[f"norm{number}.weight"] = weights[f"{here}.{part}.norm.gamma"]
            filled[f"norm{number}.bias"] = weights[f"{here}.{part}.norm.beta"]
    theirs.load_state_dict(filled)
    if feedforward == "linear":
        theirs.activation = nn.Identity()
    if feedforward == "none":  # theirs always has one
        nn.init.zeros_(theirs.linear2.weight)
        nn.init.zeros_(theirs.linear2.bias)
    return theirs


def uncarried(theirs: nn.TransformerEncoderLayer, x: Tensor, mask: Tensor) -> Tensor:
    """The layer of theirs without its two additions; x [line, token, d]."""
    attend = lambda x: theirs._sa_block(x, mask, None)  # noqa: E731
    for norm, part in ((theirs.norm1, attend), (theirs.norm2, theirs._ff_block)):
        x = part(norm(x)) if theirs.norm_first else norm(part(x))
    return x


def sinusoids(length: int, d: int) -> Tensor:
    """[length, d], by the formula of Vaswani et al. 2017, 3.5."""
    angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, d, 2) / d)
    return torch.stack([angle.sin(), angle.cos()], -1).flatten(1)
