"""The other implementation of the translator: torch.nn.Transformer on the same weights, the `tokenizers` library."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor, nn

from core.model.input import PositionalEncoding
from core.model.transformer import Transformer
from core.text.characters import MARKS, Characters
from pages.shared import cached

PROJECTIONS = ("to_query", "to_key", "to_value")


@cached.once
def model(name: str) -> nn.Transformer:
    """Their encoder and decoder, filled with our weights; embedding and output are no part of theirs."""
    ours, c = cached.model(name).network, cached.model(name).config
    assert isinstance(ours, Transformer)
    sizes = c.d_model, c.heads, c.layers, c.decoder_layers, c.d_ff
    theirs = nn.Transformer(*sizes, activation="relu", layer_norm_eps=c.epsilon, batch_first=True)
    theirs.encoder.norm = theirs.decoder.norm = None  # ours normalises inside every layer and needs no last one
    theirs.load_state_dict(dict(their_names(ours)))
    return theirs.eval()


def their_names(ours: Transformer) -> Iterator[tuple[str, Tensor]]:
    """Every weight of the layers under the name it has in torch.nn.Transformer."""
    for i, layer in enumerate(ours.encoder):
        yield from sublayers(layer, f"encoder.layers.{i}", {"attention": "self_attn"})
    for i, layer in enumerate(ours.decoder.layers):
        names = {"self_attention": "self_attn", "cross_attention": "multihead_attn"}
        yield from sublayers(layer, f"decoder.layers.{i}", names)


def sublayers(layer: nn.Module, place: str, attentions: dict[str, str]) -> Iterator[tuple[str, Tensor]]:
    """Attentions, feed-forward and norms of one layer."""

    def weight(name: str) -> Tensor:
        return layer.get_parameter(name)

    for our, their in attentions.items():
        for kind in ("weight", "bias"):
            parts = [weight(f"{our}.sublayer.{projection}.{kind}") for projection in PROJECTIONS]
            yield f"{place}.{their}.in_proj_{kind}", torch.cat(parts)
            yield f"{place}.{their}.out_proj.{kind}", weight(f"{our}.sublayer.to_output.{kind}")
    for number, our in ((1, "widen"), (2, "narrow")):
        for kind in ("weight", "bias"):
            yield f"{place}.linear{number}.{kind}", weight(f"feedforward.sublayer.{our}.{kind}")
    for number, our in enumerate([*attentions, "feedforward"], 1):
        yield f"{place}.norm{number}.weight", weight(f"{our}.norm.gamma")
        yield f"{place}.norm{number}.bias", weight(f"{our}.norm.beta")


@cached.once
def tokenizer(name: str):
    """A word-level tokenizer that cuts before and after every character."""
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    ours = cached.model(name).tokenizer
    assert isinstance(ours, Characters)
    made = Tokenizer(models.WordLevel(readable(ours), unk_token="[UNK]"))
    marks = [normalizers.Replace(chr(typed), meant) for typed, meant in MARKS.items()]
    made.normalizer = normalizers.Sequence([normalizers.BertNormalizer(True, False, False, False), *marks])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(" ", "removed"), pre_tokenizers.Split(Regex("."), "isolated")]
    )
    made.post_processor = processors.TemplateProcessing("$A [EOS]", special_tokens=[("[EOS]", ours.eos_id)])
    return made


def readable(tokenizer: Characters) -> dict[str, int]:
    """The pieces a source can be made of, with their ids."""
    return {piece: id for piece in tokenizer.pieces if (id := tokenizer.id_of(piece)) is not None}


def tokens(name: str, text: str) -> list[tuple[int, tuple[int, int]]]:
    """Id and offsets of every token, by the `tokenizers` library."""
    made, limit = tokenizer(name), cached.model(name).config.positions
    made.enable_truncation(limit)
    theirs = made.encode(text)
    return list(zip(theirs.ids, theirs.offsets, strict=True))


def table(name: str) -> np.ndarray:
    """[vocab, d_model]: the embedding table, which is no part of theirs."""
    return cached.model(name).network.get_parameter("embedding.token_table.weight").detach().numpy()


def rows(name: str, text: str) -> np.ndarray:
    """[source, d_model]: the rows that are fetched, by torch's own lookup."""
    table = cached.model(name).network.get_parameter("embedding.token_table.weight").detach()
    ids = torch.tensor([token.id for token in cached.trace(name, text).tokens])
    return nn.functional.embedding(ids, table).numpy()


def inputs(name: str, text: str) -> np.ndarray:
    """[source, d_model]: what enters the first layer, by torch's own lookup and the positions of lecture notes."""
    d_model = cached.model(name).config.d_model
    scaled = torch.tensor(rows(name, text)) * d_model**0.5
    return PositionalEncoding(d_model)(scaled[None])[0].numpy()


def layers(name: str, text: str) -> Iterator[tuple[str, Tensor]]:
    """Every attention weight and every state of their pass, by our tap's name, on the rows that enter layer 1."""
    run = cached.capture(name, text, only=("embedding.output", "decoder.embedding.output"))
    x, y = (torch.tensor(run[tap])[None] for tap in ("embedding.output", "decoder.embedding.output"))
    encoder, decoder = model(name).encoder, model(name).decoder
    for i, layer in enumerate(encoder.layers):
        assert isinstance(layer, nn.TransformerEncoderLayer)
        yield f"encoder.{i}.attention.weights", look(layer.self_attn, x, x)[1]
        x = layer(x)
        yield f"encoder.{i}.output", x
    mask = nn.Transformer.generate_square_subsequent_mask(y.shape[1])
    for i, layer in enumerate(decoder.layers):
        assert isinstance(layer, nn.TransformerDecoderLayer)
        looked, weights = look(layer.self_attn, y, y, mask)
        yield f"decoder.{i}.self_attention.weights", weights
        yield f"decoder.{i}.cross_attention.weights", look(layer.multihead_attn, layer.norm1(y + looked), x)[1]
        y = layer(y, x, tgt_mask=mask)
        yield f"decoder.{i}.output", y


def look(attention: nn.MultiheadAttention, asking: Tensor, answering: Tensor, mask: Tensor | None = None):
    """What is carried over, and the weights of every head."""
    return attention(asking, answering, answering, attn_mask=mask, average_attn_weights=False)


def taken(name: str, text: str, ending: str) -> dict[str, np.ndarray]:
    with torch.no_grad():
        return {tap: tensor[0].numpy() for tap, tensor in layers(name, text) if tap.endswith(ending)}


def weights(name: str, text: str) -> dict[str, np.ndarray]:
    """The attention weights of every layer of both stacks, by our tap's name."""
    return taken(name, text, ".weights")


def states(name: str, text: str) -> dict[str, np.ndarray]:
    """Every token's state after each layer of both stacks, by our tap's name."""
    return taken(name, text, ".output")
