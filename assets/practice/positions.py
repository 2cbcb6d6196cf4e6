"""练习一：从头写一个可以训练的位置层。Practice 1: a trainable layer of positions, from scratch.

补全 LearnedPositions，然后运行：python positions.py。测试都通过，就对了。只需要 torch。
Fill in LearnedPositions, then run: python positions.py. When every test passes, it is right. All it needs is torch.

不要用 nn.Embedding：一张表就是一个 nn.Parameter。Do without nn.Embedding: a table is one nn.Parameter.
"""

import unittest

import torch
from torch import Tensor, nn


class LearnedPositions(nn.Module):
    """每个位置有一行可以训练的数，加到词元的向量上。A row of trainable numbers for each position, added to a token.

    longest: 最多多少个位置 how many positions there are; d: 向量多宽 how wide a vector is.
    """

    def __init__(self, longest: int, d: int) -> None:
        super().__init__()
        # 在这里建表：[longest, d]，开始时是小的随机数。Here: the table [longest, d], small random numbers at first.
        raise NotImplementedError

    def forward(self, x: Tensor) -> Tensor:
        """x [batch, n, d] -> [batch, n, d]。n 超过 longest 时报 ValueError。Raises ValueError where n > longest."""
        raise NotImplementedError


# ---- 测试：不用改。Tests: leave them as they are. ----


class Tests(unittest.TestCase):
    def setUp(self) -> None:
        torch.manual_seed(0)
        self.layer = LearnedPositions(10, 6)

    def rows(self) -> Tensor:
        (table,) = self.layer.parameters()
        return table

    def test_1_one_table_that_is_trained(self) -> None:
        """一张表，10 × 6 个数，都能训练。One table of 10 × 6 numbers, all of them trained."""
        self.assertEqual(tuple(self.rows().shape), (10, 6))
        self.assertTrue(self.rows().requires_grad)
        self.assertLess(float(self.rows().detach().abs().max()), 1)
        self.assertGreater(float(self.rows().detach().std()), 0)

    def test_2_row_p_is_added_at_position_p(self) -> None:
        """第 p 个位置加第 p 行，每一句都一样。Row p is added at position p, in every sentence alike."""
        x = torch.randn(3, 4, 6)
        added = self.layer(x) - x
        for sentence in added:
            self.assertTrue(torch.allclose(sentence, self.rows()[:4], atol=1e-6))

    def test_3_order_matters_now(self) -> None:
        """两个相同的词元，位置不同，向量就不同。Two equal tokens differ, now that their positions do."""
        out = self.layer(torch.ones(1, 2, 6))
        self.assertFalse(torch.allclose(out[0, 0], out[0, 1]))

    def test_4_only_rows_in_use_get_a_gradient(self) -> None:
        """只有用到的行有梯度。Only the rows in use get a gradient."""
        self.layer(torch.zeros(1, 4, 6)).sum().backward()
        gradient = self.rows().grad
        assert gradient is not None
        self.assertTrue((gradient[:4] == 1).all())
        self.assertTrue((gradient[4:] == 0).all())

    def test_5_beyond_the_table_there_is_nothing(self) -> None:
        """超出表的长度要报错，不能悄悄算错。Beyond the table it says so, and does not compute nonsense."""
        with self.assertRaises(ValueError):
            self.layer(torch.zeros(1, 11, 6))

    def test_6_it_learns(self) -> None:
        """训练以后，只看向量就说得出位置。After training, a vector tells its position."""
        readout = nn.Linear(6, 10)
        optimizer = torch.optim.Adam([*self.layer.parameters(), *readout.parameters()], lr=0.05)
        loss = torch.tensor(0.0)
        for _ in range(200):
            loss = nn.functional.cross_entropy(readout(self.layer(torch.zeros(1, 10, 6)))[0], torch.arange(10))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self.assertLess(float(loss.detach()), 0.1)


if __name__ == "__main__":
    unittest.main()
