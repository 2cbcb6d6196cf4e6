"""A decoder alone: each token looks at itself and back, and what comes out says which token is next."""

from torch import Tensor, nn

from .config import Config
from .decoder import causal_mask
from .embedding import EMBEDDINGS
from .encoder import Stack, padding_mask
from .transformer import Output, draw_weights


class LanguageModel(nn.Module):
    """Embedding, layers under a causal mask, output (Radford et al. 2019, 2.3: with `Config.norm` "pre").

    Where `Config.embedding` is "scaled", its embeddings are scaled by √d_model; GPT-2's and Llama's are not.
    """

    inputs = ("ids", "padding")

    def __init__(self, config: Config):
        super().__init__()
        token_table = nn.Embedding(config.vocab, config.d_model)
        self.embedding = EMBEDDINGS[config.embedding](config, token_table, "token")
        self.decoder = Stack(config)
        self.output = Output(config, token_table, "token")
        draw_weights(self, self.embedding, config)

    def forward(self, ids: Tensor, padding: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """ids [1, n], padding [1, n] true where a token is only filling -> logits and probabilities of the next token,
        each [1, n, vocab]."""
        return self.output(self.read(ids, padding))

    def read(self, ids: Tensor, padding: Tensor | None = None) -> Tensor:
        """The same -> the last states [1, n, d_model], which the output reads."""
        mask = causal_mask(ids.shape[1]).to(ids.device)  # 1, n, n
        if padding is not None:
            mask = mask + padding_mask(padding)
        return self.decoder(self.embedding(ids), mask)

    def after(self, ids: Tensor, kept: int = 0) -> Tensor:
        """ids [1, n], and before them so many tokens in a cache (core.model.cache) -> the logits of the token after
        the last, [vocab]; of the others none are computed."""
        mask = causal_mask(kept + ids.shape[1])[:, kept:]  # 1, n, kept + n
        return self.output.project(self.decoder(self.embedding(ids, kept), mask)[0, -1])
