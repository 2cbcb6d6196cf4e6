"""What the embedding stage shows: the table, the rows a sentence fetches from it, and how alike these rows are."""

from dataclasses import dataclass

import numpy as np

from ..capture import Capture
from ..zoo import Model
from .vectors import cosines

TAPS = ("embedding.token",)
KINDS = ("id", "onehot", "row")  # the ways to write a token down, from the poorest to the richest


@dataclass(frozen=True, eq=False)
class EmbeddingView:
    """One sentence's way through the table. Tokens, rows and dimensions count from 0."""

    tokens: tuple[str, ...]
    special: tuple[bool, ...]
    ids: tuple[int, ...]
    pieces: tuple[str, ...]  # the vocabulary: what each row of the table stands for
    table: np.ndarray  # [vocab, d_model], the model's own memory
    output: np.ndarray  # [token, d_model], the captured rows
    cosine: np.ndarray  # [token, token], of the captured rows
    parameters: int  # of the whole network

    @property
    def vocab(self) -> int:
        return self.table.shape[0]

    @property
    def d_model(self) -> int:
        return self.table.shape[1]

    @property
    def nbytes(self) -> int:
        """Its own memory; the table belongs to the model."""
        return self.output.nbytes + self.cosine.nbytes

    def pairs(self, kind: str) -> np.ndarray:
        """[token, token]: how far two tokens are apart as ids, or how alike they are as one-hot vectors or as rows."""
        ids = np.array(self.ids)
        if kind == "id":
            return np.abs(ids[:, None] - ids).astype(np.float32)
        return (ids[:, None] == ids).astype(np.float32) if kind == "onehot" else self.cosine

    def same(self, position: int) -> list[int]:
        """The other positions that fetch the same row."""
        return [i for i, id in enumerate(self.ids) if id == self.ids[position] and i != position]

    def places(self, position: int) -> list[int]:
        """Every position that fetches its row, its own too, in order."""
        return sorted([position, *self.same(position)])

    def apart(self, a: int, b: int) -> float:
        """The largest difference between two tokens' captured rows."""
        return float(np.abs(self.output[a] - self.output[b]).max())

    def one_hot(self, row: int) -> np.ndarray:
        """[vocab]: a 1 at `row`, 0 everywhere else."""
        return np.eye(1, self.vocab, row, dtype=self.table.dtype)[0]

    def by_one_hot(self, row: int) -> np.ndarray:
        """[d_model]: the one-hot vector times the whole table, with every product by 0."""
        return self.one_hot(row) @ self.table


def embedding_view(run: Capture, model: Model) -> EmbeddingView:
    """The view of a capture that holds `TAPS`."""
    output = run["embedding.token"]
    return EmbeddingView(
        tokens=tuple(token.text for token in run.tokens),
        special=tuple(token.special for token in run.tokens),
        ids=tuple(token.id for token in run.tokens),
        pieces=model.tokenizer.names,
        table=table(model),
        output=output,
        cosine=cosines(output),
        parameters=sum(parameter.numel() for parameter in model.network.parameters()),
    )


def table(model: Model) -> np.ndarray:
    """[vocab, d_model]: the embedding table, in the model's own memory; read-only."""
    weight = model.network.get_submodule("embedding.token_table").get_parameter("weight")
    array = weight.detach().numpy()
    array.flags.writeable = False
    return array


def averaged(matrix: np.ndarray, rows: int, columns: int) -> np.ndarray:
    """A matrix as at most `rows` × `columns` blocks of nearly one size, each the mean of its cells."""
    means = matrix
    for axis, most in enumerate((rows, columns)):
        edges = np.linspace(0, matrix.shape[axis], min(matrix.shape[axis], most) + 1).astype(int)
        sizes = np.diff(edges)
        sums = np.add.reduceat(means, edges[:-1], axis=axis, dtype=np.float64)
        means = sums / (sizes[:, None] if axis == 0 else sizes)
    return means.astype(np.float32)


@dataclass(frozen=True, eq=False)
class TableSummary:
    """A whole table in small."""

    blocks: np.ndarray  # averaged
    full: float  # 99 % of its numbers lie between -full and full

    @property
    def nbytes(self) -> int:
        return self.blocks.nbytes


def table_summary(model: Model, rows: int = 128, columns: int = 128) -> TableSummary:
    """The model's embedding table, averaged in `rows` × `columns` blocks."""
    numbers = table(model)
    return TableSummary(averaged(numbers, rows, columns), float(np.quantile(np.abs(numbers), 0.99)))
