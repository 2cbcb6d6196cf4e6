"""The layer that is small enough to write down: by hand, by NumPy, and its gradients by finite differences."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.views.small_layer import BACKWARD, GIVEN, LEARNED, changes, loss, numbers, states, step


def by_numpy(g: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The same layer without torch."""

    def softmax(x):
        powers = np.exp(x - x.max(-1, keepdims=True))
        return powers / powers.sum(-1, keepdims=True)

    def norm(x):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)

    weights = softmax(g["X"] @ g["WQ"] @ (g["X"] @ g["WK"]).T / math.sqrt(2))
    normed = norm(g["X"] + weights @ (g["X"] @ g["WV"]) @ g["WO"])
    output = norm(normed + np.maximum(normed @ g["W1"], 0) @ g["W2"])
    return {"weights": weights, "output": output, "probabilities": softmax(output @ g["E"].T)}


def test_the_sources_example_is_67_to_33() -> None:
    made = states(numbers({}))
    np.testing.assert_allclose(made["scores"], np.eye(2) / math.sqrt(2))
    expected = 1 / (1 + math.exp(-1 / math.sqrt(2)))
    np.testing.assert_allclose(made["weights"], [[expected, 1 - expected], [1 - expected, expected]])
    assert round(expected, 4) == 0.6698  # not .622, which is softmax(0.5, 0)
    np.testing.assert_allclose(made["context"], made["weights"])  # V is the unit matrix


matrices = st.integers(0, 10**6).map(
    lambda seed: {name: np.random.default_rng(seed).normal(size=np.shape(rows)) for name, rows in GIVEN.items()}
)


@settings(max_examples=15, deadline=None)
@given(matrices)
def test_every_state_is_numpy_s(given_) -> None:
    made = states(given_)
    for name, expected in by_numpy(given_).items():
        np.testing.assert_allclose(made[name], expected, atol=1e-9)


@settings(max_examples=10, deadline=None)
@given(matrices, st.integers(0, 2))
def test_a_step_is_the_gradient_s_and_a_small_one_lowers_the_loss(given_, target) -> None:
    made = step(given_, target, 1e-4)
    assert made.difference < 1e-4 or np.abs(states(given_)["hidden"]).min() < 1e-4
    assert made.loss == pytest.approx(-math.log(by_numpy(given_)["probabilities"][1, target]))
    assert made.new_loss <= made.loss + 1e-9
    for name in LEARNED:
        np.testing.assert_allclose(made.after[name], given_[name] - 1e-4 * made.gradients[name])
    assert (made.after["X"] == given_["X"]).all() and set(made.gradients) == {*GIVEN, *BACKWARD}


def test_the_first_numbers_have_a_gradient_everywhere_and_the_step_helps() -> None:
    for target in range(3):
        made = step(numbers({}), target, 0.5)
        assert all(np.abs(made.gradients[name]).max() > 1e-3 for name in (*GIVEN, *BACKWARD))
        assert made.difference < 1e-7 and made.new_loss < made.loss
        assert np.abs(made.states[0]["weights"] - made.states[1]["weights"]).max() > 0.01


def test_one_number_by_hand() -> None:
    """∂loss/∂logits = probabilities − the word that was right."""
    made = step(numbers({}), 1, 1)
    expected = states(numbers({}))["probabilities"][1] - [0, 1, 0]
    np.testing.assert_allclose(made.gradients["logits"], [[0, 0, 0], expected])


def test_what_was_typed() -> None:
    typed = changes("WQ.0.1=−2.5;X.1.3=4;")
    assert typed == {"WQ.0.1": "−2.5", "X.1.3": "4"}
    assert numbers(typed)["WQ"][0, 1] == -2.5 and numbers(typed)["X"][1, 3] == 4
    assert loss(numbers(typed), 0) != loss(numbers({}), 0)


@pytest.mark.parametrize(("put", "code"), [
    ("WQ.0.1=a", "small_entry"), ("WQ.0.1=", "small_entry"), ("E.0.0=nan", "small_large"), ("E.0.0=1e9", "small_large"),
    ("WQ.0.9=1", "small_place"), ("QQ.0.0=1", "small_place"), ("nonsense", "small_place"), ("X.²=1", "small_place"),
])  # fmt: skip
def test_what_cannot_be_used_says_why(put, code) -> None:
    with pytest.raises(InputError) as refused:
        numbers(changes(put))
    assert refused.value.code == code
