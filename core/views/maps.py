"""Maps of words: many dimensions drawn in two or three, and how far the drawing can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .vectors import unit

METHODS = ("tsne", "pca")
METRICS = ("cosine", "euclidean")
STARTS = ("pca", "random")
EXAGGERATED = 250  # iterations at the beginning, in which t-SNE pulls neighbours together twelve times too hard
SNAPSHOTS = (0, EXAGGERATED, 300, 400, 600, 1000)  # iterations; scikit-learn runs no fewer than these
FEWEST = 4  # words: with fewer, t-SNE has nothing to arrange
HAIR = 1e-7  # a thousandth of the spread of a start
NEAR = 5  # neighbours that are looked at for purity and agreement


@dataclass(frozen=True)
class Plan:
    """How to draw a map. `perplexity` and what follows it are t-SNE's."""

    method: str = "tsne"
    perplexity: int = 10
    metric: str = "cosine"
    start: str = "pca"
    seed: int = 0
    dimensions: int = 2
    iterations: int = SNAPSHOTS[-1]
    moved: bool = False  # whether the start is moved by `HAIR`: what then differs, t-SNE does not determine

    def fitted(self, words: int) -> "Plan":
        """The plan that so many words allow: fewer than `FEWEST` are drawn by PCA, perplexity stays below a third."""
        if self.method == "pca" or words < FEWEST:
            return Plan("pca", dimensions=self.dimensions)
        seed = self.seed if self.start == "random" else 0
        return replace(self, perplexity=min(self.perplexity, highest(words)), seed=seed)


def highest(words: int) -> int:
    """The largest perplexity for so many words: about a third of them, so that not everyone is a neighbour."""
    return max(1, (words - 1) // 3)


@dataclass(frozen=True, eq=False)
class Map:
    """Words drawn. `divergence` is t-SNE's own loss (Kullback–Leibler): there is none before the exaggeration ends."""

    plan: Plan
    points: np.ndarray  # [word, dimension]
    divergence: float | None

    @property
    def nbytes(self) -> int:
        return self.points.nbytes


def draw(vectors: np.ndarray, plan: Plan) -> Map:
    """The map of vectors [word, d_model] that a plan gives, as `Plan.fitted` allows it.

    Snapshot 0 is the start. A run stopped earlier is the beginning of a longer one, so each snapshot is a run of its
    own from the same start.

    References:
        van der Maaten and Hinton 2008, https://jmlr.org/papers/v9/vandermaaten08a.html
        Kobak and Berens 2019, https://doi.org/10.1038/s41467-019-13056-x (why to start from PCA).
    """
    plan = plan.fitted(len(vectors))
    components = principal(vectors, plan.dimensions)
    if plan.method == "pca":
        return Map(plan, components, None)
    start = starting(components, plan)
    if plan.moved:
        start += HAIR * np.random.RandomState(0).normal(size=start.shape).astype(np.float32)
    if plan.iterations == 0:
        return Map(plan, start, None)
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    settings = {"perplexity": plan.perplexity, "metric": plan.metric, "max_iter": plan.iterations, "n_jobs": 1}
    tsne = TSNE(plan.dimensions, init=start, random_state=plan.seed, **settings)  # type: ignore[arg-type]
    with threadpool_limits(1):  # one visitor's map must not take every core
        points = tsne.fit_transform(vectors)
    return Map(plan, points, float(tsne.kl_divergence_) if plan.iterations > EXAGGERATED else None)


def principal(vectors: np.ndarray, count: int) -> np.ndarray:
    """[word, count]: the vectors along the directions in which they spread most; 0 where there are no more of them."""
    centred = vectors - vectors.mean(0) if len(vectors) else vectors
    left, size, right = np.linalg.svd(centred, full_matrices=False)
    signs = np.sign(right[np.arange(len(right)), np.abs(right).argmax(1)]) if right.size else np.ones(len(right))
    scores = (left * size * signs)[:, :count]
    return np.pad(scores, ((0, 0), (0, count - scores.shape[1]))).astype(np.float32)


def starting(components: np.ndarray, plan: Plan) -> np.ndarray:
    """Where t-SNE begins: the PCA in small, as scikit-learn has it, or at random; both with a deviation of 1e-4."""
    if plan.start == "random":
        return np.random.RandomState(plan.seed).normal(0, 1e-4, components.shape).astype(np.float32)
    return (components / max(float(components[:, 0].std()), 1e-12) * 1e-4).astype(np.float32)


# ---- how far to trust it


@dataclass(frozen=True)
class Quality:
    """How well groups lie together: silhouette (−1 to 1), and the share of a word's five nearest that are of its group.

    `chance` is that share for words strewn at random. `silhouette` and `purity` are nan where there are too few words
    or groups to say.
    """

    silhouette: float
    purity: float
    chance: float


def quality(points: np.ndarray, groups: Sequence[str], metric: str = "euclidean") -> Quality:
    """Of points [word, dimension], on a map or in the space itself.

    References:
        Rousseeuw 1987, https://doi.org/10.1016/0377-0427(87)90125-7 (the silhouette).
    """
    from sklearn.metrics import silhouette_score

    names, member, sizes = np.unique(np.array(groups, str), return_inverse=True, return_counts=True)
    n = len(member)
    if n < 3 or len(names) < 2 or len(names) == n:
        return Quality(float("nan"), float("nan"), float("nan"))
    near = nearest(points, min(NEAR, n - 1), metric)
    return Quality(
        float(silhouette_score(points, member, metric=metric)),
        float((member[near] == member[:, None]).mean()),
        float((sizes * (sizes - 1)).sum() / (n * (n - 1))),
    )


def distances(points: np.ndarray, metric: str = "euclidean") -> np.ndarray:
    """[word, word]: how far apart; one minus the cosine, or Euclid's."""
    x = points.astype(np.float64)
    if metric == "cosine":
        directions = unit(x)
        return 1 - directions @ directions.T
    squares = (x * x).sum(1)
    return np.sqrt(np.maximum(squares[:, None] + squares - 2 * x @ x.T, 0))


def nearest(points: np.ndarray, count: int, metric: str = "euclidean") -> np.ndarray:
    """[word, count]: for each word its nearest others."""
    apart = distances(points, metric)
    np.fill_diagonal(apart, np.inf)
    return np.argsort(apart, axis=1, kind="stable")[:, :count]


@dataclass(frozen=True)
class Agreement:
    """How alike two maps of the same words are, however they are turned: neighbours shared, distances correlated."""

    neighbours: float  # of a word's five nearest, the share that both maps agree on
    distances: float  # correlation of all distances


def agreement(a: np.ndarray, b: np.ndarray) -> Agreement:
    """Of two maps [word, dimension]."""
    count = min(NEAR, len(a) - 1)
    pairs = zip(nearest(a, count), nearest(b, count), strict=True)
    shared = np.mean([len(set(x) & set(y)) / count for x, y in pairs])
    upper = np.triu_indices(len(a), 1)
    return Agreement(float(shared), float(np.corrcoef(distances(a)[upper], distances(b)[upper])[0, 1]))
