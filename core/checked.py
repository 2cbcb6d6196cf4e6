"""A folder's model held against Hugging Face's own, on the spot: every token, state, attention weight and logit of a
few texts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError, WeightsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torch import Tensor, nn

TEXTS = ("The cat sat on the mat.", "Unaffable, isn't it?  42 cafés\nin 2026", "猫坐在垫子上。")
STATES, WEIGHTS = 1e-4, 2e-5  # the differences that are allowed; times the largest number, where that is above 1


def check(
    folder: Path,
    network: Any,
    tokenizer: Any,
    states: "Sequence[str]",
    weights: "Sequence[str]",
    masked_head: "nn.Module | None" = None,
) -> None:
    """Raise InputError where the network that was read of a folder, or its tokenizer, does not say what transformers'
    own says. `states` and `weights` are the taps of the hidden states and of every layer's attention weights;
    `masked_head` makes logits of the last state.

    Raises WeightsError where transformers is not installed.
    """
    try:
        from transformers import AutoModel, AutoModelForCausalLM, AutoModelForMaskedLM, AutoTokenizer
    except ImportError as error:
        raise WeightsError('check="hf" needs a library. Run: pip install transformers') from error
    import torch

    from .model.taps import recording

    writes = hasattr(network, "output")
    kind = AutoModelForCausalLM if writes else AutoModelForMaskedLM if masked_head else AutoModel
    said = {"local_files_only": True}
    theirs = kind.from_pretrained(str(folder), attn_implementation="eager", dtype=torch.float32, **said).eval()
    tokens = AutoTokenizer.from_pretrained(str(folder), **said)
    for text in TEXTS:
        given, own = tokens(text, return_tensors="pt"), tokenizer.encode(text)
        if [token.id for token in own] != given["input_ids"][0].tolist():
            raise InputError("tokens_unlike_hugging_face", text=text)
        rows = {"ids": given["input_ids"], "segments": torch.tensor([[token.segment for token in own]])}
        rows["padding"] = torch.zeros_like(rows["ids"], dtype=torch.bool)
        with torch.no_grad(), recording() as tape:
            network(*(rows[name] for name in network.inputs))
            guessed = masked_head(tape.tensors[states[-1]][None]) if masked_head else None
            out = theirs(**given, output_hidden_states=True, output_attentions=True)
        passed, hidden, seen = tape.tensors, out.hidden_states, out.attentions
        if guessed is not None:
            passed = {**passed, "output.logits": guessed[0]}
        pairs = [*zip(states, hidden, strict=True), *zip(weights, seen, strict=True)]
        pairs += [("output.logits", out.logits)] if "output.logits" in passed else []
        for tap, difference, limit in off(passed, pairs):
            raise InputError(
                "unlike_hugging_face", tap=tap, difference=f"{difference:.1e}", limit=f"{limit:.1e}", text=text
            )


def off(passed: "dict[str, Tensor]", pairs: "Sequence[tuple[str, Tensor]]") -> "Iterator[tuple[str, float, float]]":
    """Of the taps that are further from what transformers has than is allowed the one that is furthest: how far, and
    what is allowed."""
    found = []
    for tap, theirs in pairs:
        limit = WEIGHTS if tap.endswith("weights") else STATES * max(1.0, float(theirs.abs().max()))
        difference = float((passed[tap] - theirs[0]).abs().max())
        if not difference <= limit:  # nor what is no number
            found.append((tap, difference, limit))
    yield from sorted(found, key=lambda one: -one[1])[:1]
