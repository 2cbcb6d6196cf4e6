"""Maps against scikit-learn's own, and what is said of how far to trust them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from sklearn.metrics import pairwise_distances, silhouette_score

from core.views.maps import (
    FEWEST,
    SNAPSHOTS,
    Plan,
    agreement,
    distances,
    draw,
    highest,
    nearest,
    principal,
    quality,
    starting,
)


@pytest.fixture(scope="module")
def vectors() -> np.ndarray:
    """Sixty words in four heaps."""
    random = np.random.default_rng(0)
    heaps = random.normal(size=(4, 20))
    return (np.repeat(heaps, 15, axis=0) + 0.3 * random.normal(size=(60, 20))).astype(np.float32)


GROUPS = [str(i // 15) for i in range(60)]


@pytest.mark.parametrize("count", [2, 3])
def test_pca_is_scikit_learns(vectors: np.ndarray, count: int) -> None:
    ours, theirs = principal(vectors, count), PCA(count, svd_solver="full").fit_transform(vectors)
    assert np.allclose(np.abs(ours), np.abs(theirs), atol=1e-4)
    assert np.array_equal(draw(vectors, Plan("pca", dimensions=count)).points, ours)


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_tsne_from_pca_is_scikit_learns_and_knows_no_seed(vectors: np.ndarray, metric: str) -> None:
    ours = draw(vectors, Plan(metric=metric, seed=0))
    theirs = TSNE(2, perplexity=10, metric=metric, init="pca", random_state=3)
    theirs.fit(vectors)
    assert ours.divergence == pytest.approx(theirs.kl_divergence_, rel=0.05)
    again = draw(vectors, Plan(metric=metric, seed=7))
    assert np.array_equal(ours.points, again.points) and again.plan == ours.plan


def test_a_random_start_depends_on_its_seed(vectors: np.ndarray) -> None:
    a, b = (draw(vectors, Plan(start="random", seed=seed)) for seed in (0, 1))
    assert not np.allclose(a.points, b.points)
    assert np.array_equal(a.points, draw(vectors, Plan(start="random", seed=0)).points)
    assert 0 < agreement(a.points, b.points).neighbours <= 1


def test_snapshots_are_runs_from_one_start(vectors: np.ndarray) -> None:
    maps = [draw(vectors, Plan(iterations=n)) for n in SNAPSHOTS]
    assert maps[0].divergence is None and np.array_equal(maps[0].points, starting(principal(vectors, 2), Plan()))
    assert maps[0].points[:, 0].std() == pytest.approx(1e-4, rel=1e-3)
    assert maps[1].divergence is None  # while it exaggerates, scikit-learn counts no loss
    losses = [m.divergence for m in maps[2:] if m.divergence is not None]
    assert len(losses) == 4 and losses[-1] <= losses[0] < 10


@pytest.mark.parametrize("count", [2, 3])
def test_a_shadow_lengthens_nothing(vectors: np.ndarray, count: int) -> None:
    assert (distances(principal(vectors, count)) <= distances(vectors) + 1e-4).all()


@pytest.mark.parametrize("n", [0, 1, 2, 3, FEWEST, 5, 12])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_few_words_and_a_large_perplexity(vectors: np.ndarray, n: int, dimensions: int) -> None:
    made = draw(vectors[:n], Plan(perplexity=50, dimensions=dimensions, iterations=250))
    assert made.points.shape == (n, dimensions) and np.isfinite(made.points).all()
    assert made.plan.method == ("pca" if n < FEWEST else "tsne")
    assert made.plan.method == "pca" or made.plan.perplexity == highest(n) < n


def test_the_same_vector_many_times() -> None:
    made = draw(np.ones((8, 5), np.float32), Plan(iterations=250))
    assert made.points.shape == (8, 2) and np.isfinite(made.points).all()


# ---- how far to trust it


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_quality_is_scikit_learns(vectors: np.ndarray, metric: str) -> None:
    found = quality(vectors, GROUPS, metric)
    assert found.silhouette == pytest.approx(silhouette_score(vectors, GROUPS, metric=metric), abs=1e-5)
    apart = pairwise_distances(vectors.astype(float), metric=metric)
    assert np.allclose(distances(vectors, metric), apart, atol=1e-6)
    shares = []
    for i in range(60):
        order = [j for j in np.argsort(apart[i]) if j != i][:5]
        shares.append(np.mean([GROUPS[j] == GROUPS[i] for j in order]))
    assert found.purity == pytest.approx(np.mean(shares))
    assert found.chance == pytest.approx(14 / 59)


@pytest.mark.parametrize("groups", [[], ["a"], ["a", "b"], ["a", "a", "a"], ["a", "b", "c"]])
def test_where_nothing_can_be_said_it_is_not(groups: list[str]) -> None:
    found = quality(np.arange(2.0 * len(groups)).reshape(len(groups), 2), groups)
    assert np.isnan([found.silhouette, found.purity, found.chance]).all()


def test_agreement_does_not_mind_turning_and_scale(vectors: np.ndarray) -> None:
    points = vectors[:, :2]
    turned = 3 * points @ np.array([[0, -1], [1, 0]]) + 5
    assert agreement(points, turned).neighbours == 1 and agreement(points, turned).distances == pytest.approx(1)
    strewn = np.random.default_rng(1).normal(size=points.shape)
    assert agreement(points, strewn).neighbours < 0.4 and abs(agreement(points, strewn).distances) < 0.3


@given(st.integers(2, 12))
@settings(max_examples=10)
def test_nearest_never_is_oneself(n: int) -> None:
    near = nearest(np.random.default_rng(n).normal(size=(n, 2)), min(5, n - 1))
    assert all(i not in row for i, row in enumerate(near))
