"""Where the product's own files are: weights, words, samples, what was recorded."""

from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE if (HERE / "assets").is_dir() else HERE.parent  # installed, they lie in the package; cloned, beside it
ASSETS = ROOT / "assets"
MODELS = ASSETS / "models"  # what was trained here, and what models are taught by
EXPERIMENTS = ASSETS / "experiments"
