"""A decoder alone: each token looks at itself and back, and what comes out says which token is next."""

from torch import Tensor, nn

from core.model.config import Config
from core.model.decoder import causal_mask
from core.model.embedding import EMBEDDINGS
from core.model.encoder import Stack, padding_mask
from core.model.transformer import Output, draw_weights


class LanguageModel(nn.Module):
    """Embedding, layers under a causal mask, output (Radford et al. 2019, 2.3: with `Config.norm` "pre").

    Its embeddings are scaled by √d_model, as here everywhere, and GPT-2's are not; that changes no count.
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
        mask = causal_mask(ids.shape[1]).to(ids.device)  # 1, n, n
        if padding is not None:
            mask = mask + padding_mask(padding)
        return self.output(self.decoder(self.embedding(ids), mask))
