"""练习二：画出位置编码的波形，比一比。Practice 2: draw the waves of positional encodings, and compare them.

补全四个函数，然后运行：python waves.py。测试都通过以后，会写出一张图 waves.svg，用浏览器打开。只需要 torch。
Fill in the four functions, then run: python waves.py. When every test passes, it writes a picture, waves.svg, for a
browser to open. All it needs is torch.
"""

import math
import sys
import unittest
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor


def sinusoids(length: int, d: int) -> Tensor:
    """[length, d]：第 2i 列是 sin(p / 10000^(2i/d))，第 2i + 1 列是它的 cos。d 是偶数。
    Column 2i is sin(p / 10000^(2i/d)), column 2i + 1 its cosine. d is even."""
    raise NotImplementedError


def wavelength(i: int, d: int) -> float:
    """第 i 对波（第 2i 和 2i + 1 列）走完一圈要多少个位置。How many positions one turn of pair i takes."""
    raise NotImplementedError


def distance(table: Tensor, a: int, b: int) -> float:
    """表里第 a 行与第 b 行的欧几里得距离。The Euclidean distance of rows a and b."""
    raise NotImplementedError


def random_table(length: int, d: int, seed: int) -> Tensor:
    """[length, d]：学来的位置在训练之前的样子，标准差 0.02 的正态分布，由种子决定。
    Learned positions before any training: normal, standard deviation 0.02, decided by the seed."""
    raise NotImplementedError


# ---- 测试：不用改。Tests: leave them as they are. ----


class Tests(unittest.TestCase):
    def test_1_a_hand_computed_row(self) -> None:
        """d = 4，第 1 行：sin 1、cos 1、sin 0.01、cos 0.01。"""
        row = sinusoids(3, 4)[1].tolist()
        for ours, known in zip(row, (0.841471, 0.540302, 0.0099998, 0.99995), strict=True):
            self.assertAlmostEqual(ours, known, places=5)

    def test_2_row_0_and_the_shape(self) -> None:
        """第 0 行是 0、1、0、1……  Row 0 is 0, 1, 0, 1 …"""
        table = sinusoids(5, 8)
        self.assertEqual(tuple(table.shape), (5, 8))
        self.assertEqual(table[0].tolist(), [0, 1] * 4)

    def test_3_waves_come_back(self) -> None:
        """走完一个波长，波回到原处；头几对是整数倍才看得到。After one wavelength a wave is where it was."""
        self.assertAlmostEqual(wavelength(0, 512), 2 * math.pi, places=6)
        self.assertAlmostEqual(wavelength(255, 512), 2 * math.pi * 10000 ** (510 / 512), delta=1)
        d = 8
        for i in range(d // 2):
            turns = 7
            p = turns * wavelength(i, d)
            angle = p / 10000 ** (2 * i / d)
            self.assertAlmostEqual(math.sin(angle), 0, places=6)
            self.assertAlmostEqual(math.cos(angle), 1, places=6)

    def test_4_a_distance_by_hand(self) -> None:
        self.assertAlmostEqual(distance(torch.tensor([[0.0, 0.0], [3.0, 4.0]]), 0, 1), 5, places=5)

    def test_5_of_sinusoids_only_the_gap_counts(self) -> None:
        """0 与 1 的距离和 100 与 101 的一样：常听说前者大得多，其实不是。
        0 and 1 are as far apart as 100 and 101; people say otherwise."""
        table = sinusoids(200, 64)
        self.assertAlmostEqual(distance(table, 0, 1), distance(table, 100, 101), places=4)
        self.assertLess(distance(table, 0, 1), distance(table, 0, 10))

    def test_6_of_a_random_table_it_does_not(self) -> None:
        """随机的表没有远近：隔 1 和隔 10 的距离差不多。A random table knows no near and far."""
        table = random_table(200, 64, seed=1)
        self.assertTrue(torch.equal(table, random_table(200, 64, seed=1)))
        self.assertFalse(torch.equal(table, random_table(200, 64, seed=2)))
        self.assertAlmostEqual(float(table.std()), 0.02, delta=0.002)
        near = sum(distance(table, p, p + 1) for p in range(150)) / 150
        far = sum(distance(table, p, p + 10) for p in range(150)) / 150
        self.assertAlmostEqual(near / far, 1, delta=0.05)


# ---- 画图：不用改。The picture: leave it as it is. ----


def svg(tables: Sequence[tuple[str, Tensor]], columns: Sequence[int]) -> str:
    """每张表一幅，每列一条曲线。One panel a table, one curve a column."""
    width, high, inks = 720, 170, ("#0f6b6b", "#b3541e", "#6b4fa0", "#2f7d32")
    parts = []
    for k, (name, table) in enumerate(tables):
        top, reach = k * high + 30, float(table[:, columns].abs().max())
        parts.append(f'<text x="10" y="{top - 8}" font-family="sans-serif" font-size="14">{name}</text>')
        for ink, column in zip(inks, columns, strict=False):
            step = (width - 20) / (len(table) - 1)
            middle, half = top + 65, 60 / reach
            dots = [f"{10 + p * step:.1f},{middle - half * float(v):.1f}" for p, v in enumerate(table[:, column])]
            parts.append(f'<polyline points="{" ".join(dots)}" fill="none" stroke="{ink}" stroke-width="1.5"/>')
    size = f'width="{width}" height="{high * len(tables)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'


if __name__ == "__main__":
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
    pictured = [("sinusoids", sinusoids(100, 64)), ("random table", random_table(100, 64, seed=1))]
    Path("waves.svg").write_text(svg(pictured, (0, 8, 16, 24)), encoding="utf-8")
    print("waves.svg")
