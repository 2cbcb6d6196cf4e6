"""Random numbers that belong to one thread: what others draw at the same time changes nothing here, nor this there."""

import torch
from torch.nn import init
from torch.overrides import TorchFunctionMode

DRAWING = {
    *(torch.Tensor.uniform_, torch.Tensor.normal_, torch.rand, torch.randn, torch.randint, torch.randperm),
    *(init.uniform_, init.normal_, init.kaiming_uniform_, init.kaiming_normal_),
    *(init.xavier_uniform_, init.xavier_normal_, init.trunc_normal_),
}


class Seeded(TorchFunctionMode):
    """Within it torch draws the numbers that follow `torch.manual_seed(seed)`, in this thread alone. The dice of the
    process, which all threads share, stay as they are; dropout throws them all the same, for it takes no others.
    """

    def __init__(self, seed: int):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def __torch_function__(self, func, types, args=(), kwargs=None):
        own = {"generator": self.generator} if func in DRAWING else {}
        return func(*args, **{**(kwargs or {}), **own})
