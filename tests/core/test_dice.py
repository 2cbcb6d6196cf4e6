"""Random numbers of one thread, whatever others draw."""

from threading import Event, Thread

import pytest
import torch
from torch import nn

from core.dice import Seeded
from core.training.runs import Setting, Writer

MAKE = {
    "linear": lambda: nn.Linear(300, 300).weight,
    "embedding": lambda: nn.Embedding(300, 300).weight,
    "recurrent": lambda: nn.GRU(100, 100).weight_ih_l0,
    "matrix": lambda: nn.init.xavier_uniform_(torch.empty(300, 300)),
    "network": lambda: torch.cat([p.flatten() for p in Writer(Setting()).parameters()]),
    "drawn": lambda: torch.cat(
        [torch.rand(50), torch.randn(50), torch.empty(50).normal_(), torch.empty(50).uniform_()]
    ),
    "ids": lambda: torch.cat([torch.randint(9, (50,)), torch.randperm(50)]),
}


@pytest.mark.parametrize("name", MAKE)
def test_a_seed_draws_the_same_while_others_draw(name: str) -> None:
    over = Event()

    def others() -> None:
        while not over.is_set():
            torch.rand(10)

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(5)
        expected = MAKE[name]()
        thread = Thread(target=others)
        thread.start()
        try:
            for _ in range(5):
                with Seeded(5):
                    assert torch.equal(MAKE[name](), expected)
        finally:
            over.set()
            thread.join()


def test_nobody_else_hears_of_it() -> None:
    before = torch.get_rng_state()
    with Seeded(1):
        MAKE["network"]()
    assert torch.equal(before, torch.get_rng_state())
