"""Train the Unigram model of the segmentation lab: `python -m core.training.unigram`, about a minute.

It reads jieba's dictionary, each word as often as its frequency says (in units of UNIT, at least once); the English
words of two books, as often as they stand there, each behind its space; and the presets of the site. So it learns
words from lists, not from sentences. The characters that were too rare for a share of their own
get almost the same log-probability, in no fixed order: another run differs there in the third digit behind the point.
"""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer, models, trainers

from ..files import ASSETS
from ..text.dictionary import counted, dictionary
from ..text.unigram import PIECES, UNKNOWN, metaspace

SAMPLES = ASSETS / "samples/sentences.toml"
SIZE = 20_000  # pieces
RAREST = 20  # words seen less often are left out
UNIT = 100
BEGINS = 15  # words of a sentence
REPEATED = 20  # times each preset is read


def words() -> Iterator[str]:
    """jieba's words, repeated by frequency."""
    for word, frequency in dictionary().frequencies.items():
        if frequency >= RAREST:
            yield from [word] * max(1, round(frequency / UNIT))


def english() -> Iterator[str]:
    """The words of two English books, each behind a space as often as it was counted, and with a capital as often as
    if one word in so many began a sentence."""
    for word, count in counted().items():
        yield from [f" {word}"] * count
        yield from [word.capitalize()] * (count // BEGINS)


def presets() -> Iterator[str]:
    """The sentences of the site, both languages."""
    samples = tomllib.loads(SAMPLES.read_text(encoding="utf-8"))
    for language in ("en", "zh"):
        own = samples[language]
        yield from [own["example"], *own["everywhere"], *(text for stage in own["stages"].values() for text in stage)]


def train() -> Tokenizer:
    """The trained model."""
    model = Tokenizer(models.Unigram())
    model.pre_tokenizer = metaspace()  # type: ignore[assignment]
    trainer = trainers.UnigramTrainer(
        vocab_size=SIZE, special_tokens=[UNKNOWN], unk_token=UNKNOWN, show_progress=False
    )  # fmt: skip
    sentences = [*words(), *english(), *(text for text in presets() for _ in range(REPEATED))]
    model.train_from_iterator(sentences, trainer=trainer, length=len(sentences))
    return model


def save(model: Tokenizer, path: Path = PIECES) -> None:
    """A piece and its log-probability a line: the unknown one, then the most probable first; equal ones by their
    spelling, because the trainer leaves them in no fixed order."""
    unknown, *pieces = json.loads(model.to_str())["model"]["vocab"]
    pieces.sort(key=lambda row: (-float(f"{row[1]:.6g}"), row[0]))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{piece}\t{log:.6g}\n" for piece, log in [unknown, *pieces]), encoding="utf-8")


if __name__ == "__main__":
    save(train())
