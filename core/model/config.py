"""The numbers that fix a model's shape, and the choices that fix its arrangement."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    """One model's dimensions and arrangement.

    A choice (`norm`, `activation`, `position`) names a class or function that is picked once, when the model is built;
    no `forward` asks for it again.
    """

    vocab: int  # rows of the embedding table, V
    d_model: int  # width of every token's vector
    heads: int
    layers: int
    d_ff: int  # width inside the feed-forward network
    positions: int  # rows of the position table: the longest input, in tokens
    segments: int  # rows of the segment table: 2 in BERT, 0 where there is none
    epsilon: float = 1e-12  # added to the variance inside a LayerNorm
    dropout: float = 0.1  # in training only
    activation: str = "gelu"
    norm: str = "post"  # where the norms sit: "post", "pre", "input" or "none"
    position: str = "learned"  # what says where a token stands: see core.model.position and core.model.relative
    decoder_layers: int = 0  # 0 where there is no decoder
    target_positions: int = 0  # the longest target, in tokens
    embedding: str = "scaled"  # what a decoder's table rows become: see core.model.embedding
    normalization: str = "layer"  # what a norm does: "layer" or "rms"
    groups: int = 0  # of heads: those of one share their keys and values; 0 where each head has its own
    bias: bool = True  # whether something is added after each matrix
    qkv_bias: bool = False  # whether it is after W^Q, W^K and W^V even where `bias` says no
    rotary_base: float = 10_000.0  # rotary positions: the slowest pair turns once in about 2π times this
    tied: bool = True  # whether the output's matrix is the embedding table

    def __post_init__(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(f"d_model {self.d_model} does not divide into {self.heads} heads")
        if self.groups and self.heads % self.groups:
            raise ValueError(f"{self.heads} heads do not divide into {self.groups} groups")

    @property
    def biased(self) -> bool:
        """Whether something is added after W^Q, W^K and W^V."""
        return self.bias or self.qkv_bias

    @property
    def d_head(self) -> int:
        """Width of one head's queries, keys and values (d_k in the paper)."""
        return self.d_model // self.heads
