"""Train the Chinese WordPiece of the segmentation lab: `python -m core.training.chinese_wordpiece`, seconds.

It reads jieba's dictionary, each word as often as its frequency says (in units of UNIT, at least once), and merges the
most frequent pair again and again, as the `tokenizers` library trains WordPiece. English is trained on words between
spaces; Chinese has none, so jieba's words take their place.
"""

from collections import Counter
from pathlib import Path

from tokenizers import Tokenizer, models, trainers

from ..text.chinese_wordpiece import PIECES, SPECIALS
from ..text.dictionary import dictionary
from ..text.segmentation import HAN

SIZE = 16_000  # pieces
RAREST = 20  # words seen less often are left out
UNIT = 100


def words() -> Counter[str]:
    """jieba's Chinese words and how often each is read."""
    return Counter(
        {
            word: max(1, round(frequency / UNIT))
            for word, frequency in dictionary().frequencies.items()
            if frequency >= RAREST and HAN.fullmatch(word)
        }
    )


def train(counted: Counter[str], size: int = SIZE) -> list[str]:
    """The pieces in the order of their ids. The characters that go on a word are given as special tokens: the library
    would number them in the order of a hash table, and decide ties by these numbers."""
    inside = sorted({f"##{character}" for word in counted for character in word[1:]})
    model = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    trainer = trainers.WordPieceTrainer(
        vocab_size=size, special_tokens=[*SPECIALS, *inside], limit_alphabet=10**6, show_progress=False
    )
    model.train_from_iterator(counted.elements(), trainer=trainer, length=counted.total())
    ids = model.get_vocab()
    return sorted(ids, key=ids.__getitem__)


def save(pieces: list[str], path: Path = PIECES) -> None:
    """A piece a line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{piece}\n" for piece in pieces), encoding="utf-8")


if __name__ == "__main__":
    save(train(words()))
