"""The speed budgets, measured: `make bench`. Ratios in one run where a peer exists."""
