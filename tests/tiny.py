"""A decoder alone with random weights: a model that no page, no view and no rule has been written for."""

from dataclasses import replace
from pathlib import Path

import torch

from core.model.config import Config
from core.model.language import LanguageModel
from core.model.taps import name_taps
from core.text.characters import Characters
from core.text.shared import SharedVocabulary
from core.zoo import Model

TEXT = "床前明月光疑是地上霜"
LAYERS, HEADS, D = 3, 2, 12


class Signs(Characters):
    """A token a character, and none after the last: what comes next is what is asked."""

    back = ()


def tiny(norm: str, seed: int = 3, id: str = "") -> Model:
    """A decoder of three layers of two heads, with its norms where `norm` says."""
    torch.manual_seed(seed)
    pieces = SharedVocabulary(tuple(dict.fromkeys(TEXT)), ())
    config = Config(
        len(pieces.pieces), D, HEADS, LAYERS, d_ff=20, positions=16, segments=0, epsilon=1e-5, dropout=0.0, norm=norm
    )
    network = LanguageModel(config).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    made = Model(f"tiny-{norm}", Path(), config, network, Signs(pieces, 16), name_taps(network))
    return replace(made, id=id) if id else made
