"""Where a token stands, as a vector: BERT's learned table, one row a position."""

from torch import Tensor, arange, nn

from core.model.config import Config


class LearnedPosition(nn.Module):
    """A row of a trained table for each position (Devlin et al. 2019). Beyond its last row there is nothing."""

    def __init__(self, config: Config):
        super().__init__()
        self.table = nn.Embedding(config.positions, config.d_model)

    def forward(self, n: int) -> Tensor:
        return self.table(arange(n))[None]  # 1, n, d_model
