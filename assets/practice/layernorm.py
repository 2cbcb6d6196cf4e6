"""练习三：有没有层归一化，训练快慢差多少。Practice 3: how fast it trains, with LayerNorm and without.

补全两处，然后运行：python layernorm.py。测试都通过以后，它真的练几个网络，把快慢列成表。只需要 torch。
Fill in the two gaps, then run: python layernorm.py. When every test passes, it trains some networks for real and
prints how fast each was. All it needs is torch.
"""

import sys
import unittest

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    """每个词元的向量：减去均值，除以标准差（方差除以 d，不是 d - 1），乘 γ，加 β。
    Each token's vector: less its mean, over its standard deviation (variance by d, not d - 1), times γ, plus β."""

    def __init__(self, d: int, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.gamma, self.beta, self.epsilon = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d)), epsilon

    def forward(self, x: Tensor) -> Tensor:
        """x [..., d] -> [..., d]。方差上加 epsilon，再开方。epsilon is added to the variance, under the root."""
        raise NotImplementedError


class Block(nn.Module):
    """一个前馈子层和绕过它的残差。A feed-forward sub-layer and the residual around it."""

    def __init__(self, d: int, norm: str) -> None:
        super().__init__()
        self.norm, self.arrangement = LayerNorm(d), norm
        self.sublayer = nn.Sequential(nn.Linear(d, 4 * d), nn.ReLU(), nn.Linear(4 * d, d))
        for part in self.sublayer:
            if isinstance(part, nn.Linear):
                nn.init.xavier_uniform_(part.weight, gain=1.4)

    def forward(self, x: Tensor) -> Tensor:
        """按 self.arrangement 三选一，By self.arrangement:
        "post": norm(x + sublayer(x));  "pre": x + sublayer(norm(x));  "none": x + sublayer(x)。
        """
        raise NotImplementedError


# ---- 网络和训练：不用改。The network and its training: leave them as they are. ----


class Network(nn.Module):
    def __init__(self, norm: str, layers: int, d: int = 32, classes: int = 8) -> None:
        super().__init__()
        self.blocks = nn.Sequential(*(Block(d, norm) for _ in range(layers)))
        self.output = nn.Linear(d, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.output(self.blocks(x))


def task(seed: int, count: int = 256, d: int = 32, classes: int = 8) -> tuple[Tensor, Tensor]:
    """向量，和它们各属哪一类：离哪个中心最近。Vectors, and the class of each: the centre it is nearest to."""
    generator = torch.Generator().manual_seed(seed)
    centres = torch.randn(classes, d, generator=generator)
    x = torch.randn(count, d, generator=generator)
    return x, torch.cdist(x, centres).argmin(-1)


def first(norm: str, layers: int, seed: int = 0) -> tuple[float, float]:
    """还没练时的损失和梯度的长度。Loss and length of the gradient before any step."""
    torch.manual_seed(seed)
    network = Network(norm, layers)
    x, wanted = task(seed)
    loss = nn.functional.cross_entropy(network(x), wanted)
    gradients = torch.autograd.grad(loss, [p for p in network.parameters()], allow_unused=True)
    return float(loss.detach()), float(torch.stack([g.square().sum() for g in gradients if g is not None]).sum().sqrt())


OPTIMIZERS = {
    "SGD": lambda parameters: torch.optim.SGD(parameters, lr=0.1),
    "Adam": lambda parameters: torch.optim.Adam(parameters, lr=0.003),
}


def steps_until(norm: str, layers: int, optimizer: str, target: float = 0.1, most: int = 300) -> int | None:
    """损失降到 target 以下要多少步；most 步里没有降到，就是 None。
    How many steps until the loss is below the target; None where it is not within `most`."""
    torch.manual_seed(0)
    network = Network(norm, layers)
    stepping = OPTIMIZERS[optimizer](network.parameters())
    x, wanted = task(0)
    for step in range(most):
        loss = nn.functional.cross_entropy(network(x), wanted)
        if loss < target:
            return step
        stepping.zero_grad()
        loss.backward()
        stepping.step()
    return None


# ---- 测试：不用改。Tests: leave them as they are. ----


class Tests(unittest.TestCase):
    def test_1_the_norm_is_that_of_torch(self) -> None:
        """与 torch.nn.LayerNorm 一样。The same as torch.nn.LayerNorm."""
        torch.manual_seed(0)
        x, ours, theirs = 5 * torch.randn(2, 3, 7) + 2, LayerNorm(7), nn.LayerNorm(7)
        with torch.no_grad():
            for mine, own in ((ours.gamma, theirs.weight), (ours.beta, theirs.bias)):
                own.copy_(mine.copy_(torch.randn(7)))
        self.assertTrue(torch.allclose(ours(x), theirs(x), atol=1e-5))

    def test_2_by_hand(self) -> None:
        """[1, 2, 3, 4]：第一个是 -1.3416，不是 -1.1619（那是除以 d - 1）。"""
        self.assertAlmostEqual(float(LayerNorm(4)(torch.tensor([1.0, 2, 3, 4]))[0].detach()), -1.3416, places=3)

    def test_3_a_constant_vector_is_no_division_by_zero(self) -> None:
        """全一样的向量变成 0，不是 nan。A vector of equal numbers becomes 0, not nan."""
        self.assertTrue(torch.equal(LayerNorm(4)(torch.full((4,), 7.0)), torch.zeros(4)))

    def test_4_three_arrangements(self) -> None:
        torch.manual_seed(0)
        x = torch.randn(5, 32)
        blocks = {norm: Block(32, norm) for norm in ("post", "pre", "none")}
        for norm, block in blocks.items():
            inside = {
                "post": lambda b=block: b.norm(x + b.sublayer(x)),
                "pre": lambda b=block: x + b.sublayer(b.norm(x)),
                "none": lambda b=block: x + b.sublayer(x),
            }
            self.assertTrue(torch.allclose(block(x), inside[norm](), atol=1e-6), norm)

    def test_5_without_it_gradients_grow_with_depth(self) -> None:
        """没有层归一化：越深，第一步的梯度越长，损失越大。Without it: the deeper, the longer the first gradient."""
        losses, gradients = zip(*(first("none", layers) for layers in (2, 6, 10)), strict=True)
        self.assertGreater(gradients[1], 3 * gradients[0])
        self.assertGreater(gradients[2], 3 * gradients[1])
        self.assertGreater(losses[2], 3 * first("post", 10)[0])


if __name__ == "__main__":
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
    print("损失降到 0.1 要多少步，– 是降不到。Steps until the loss is 0.1; – where it never was.")
    for optimizer in OPTIMIZERS:
        print(f"\n{optimizer:8}" + "".join(f"{norm:>8}" for norm in ("post", "pre", "none")))
        for layers in (2, 6, 10):
            found = [steps_until(norm, layers, optimizer) for norm in ("post", "pre", "none")]
            print(f"{layers:8}" + "".join(f"{'–' if steps is None else steps:>8}" for steps in found))
