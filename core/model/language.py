"""A decoder alone: each token looks at itself and back, and what comes out says which token is next."""

from torch import Tensor, nn

from core.model.config import Config
from core.model.decoder import causal_mask
from core.model.embedding import TransformerEmbedding
from core.model.encoder import Stack
from core.model.transformer import Output, draw_weights


class LanguageModel(nn.Module):
    """Embedding, layers under a causal mask, output (Radford et al. 2019, 2.3: with `Config.norm` "pre").

    Its embeddings are scaled by √d_model, as here everywhere, and GPT-2's are not; that changes no count.
    """

    def __init__(self, config: Config):
        super().__init__()
        token_table = nn.Embedding(config.vocab, config.d_model)
        self.embedding = TransformerEmbedding(config, token_table, "token")
        self.decoder = Stack(config)
        self.output = Output(config, token_table)
        draw_weights(self, self.embedding, config)

    def forward(self, ids: Tensor) -> tuple[Tensor, Tensor]:
        """ids [1, n] -> logits and probabilities of the next token, each [1, n, vocab]."""
        x = self.decoder(self.embedding(ids), causal_mask(ids.shape[1]).to(ids.device))
        return self.output(x)
