"""Vocabularies of several sizes over the same Chinese text: how many tokens it takes, and how much of it is lost."""

from core.numbers import percent
from core.text.chinese_wordpiece import pieces
from core.views.vocabulary_sizes import Spelling, spellings
from core.zoo import able
from pages.shared.page.parts import amount, heading, paragraph, table, write
from pages.shared.server import cached
from pages.shared.words.texts import own_words
from pages.stages.segmentation.context import StageContext

READ = 20_000  # characters of the site's own words


@cached.shared
def spelt(text: str) -> tuple[Spelling, ...]:
    cached.dictionary()
    cutter, translator = (cached.model(able(what)).tokenizer for what in ("cut words", "translate"))
    return spellings(text, cutter, translator)  # type: ignore[arg-type]


def draw(context: StageContext) -> None:
    t = context.t
    text = own_words("zh")[:READ]
    found = spelt(text)
    head = [t(f"sizes.{name}") for name in ("vocabulary", "size", "tokens", "unknown")]
    shares = [(s.tokens / s.characters, s.unknown / s.characters) for s in found]
    most = max(max(pair) for pair in shares)
    rows = [
        [t(f"sizes.{s.name}"), f"{s.size:,}", *(amount(share, most, percent(share)) for share in pair)]
        for s, pair in zip(found, shares, strict=True)
    ]
    write(
        heading(t, "sizes"),
        paragraph(t, "sizes.said", size=f"{len(pieces()):,}", n=f"{found[0].characters:,}"),
        table(rows, head, "named"),
        paragraph(t, "sizes.found"),
    )
