"""The graph over its ruler, and the controls above it."""

from core.figures.controls import Control, Controls
from core.figures.lattice import Arc, Lattice, LatticeWords, Mark, Row, Way
from core.text.segmentation import Word
from core.text.word_graph import Edge
from core.views.segmentation import METHODS, PATHS, Piece
from pages.shared.words.texts import clip
from pages.stages.segmentation.look import CLIPPED, MODES, Look, weighing
from pages.stages.segmentation.parts_of_speech import beside, gloss, mark, tag_name


def lattice(look: Look) -> Lattice:
    t, view = look.t, look.view
    number = {edge: i for i, edge in enumerate(view.edges)}
    return Lattice(
        text=look.text,
        edges=[Arc(e.start, e.end, e.text, e.frequency, gloss(t, [e.text]) or "") for e in view.edges],
        ways=[[number[edge] for edge in path.edges] for path in look.seen],
        rows=[jieba_row(look), *(row(look, name) for name in METHODS[1:])],
        paths=[
            Way(i, excerpt(look, i), fixed(path.log_probability), beside(t, path))
            for i, path in enumerate(look.seen)
            if path.edges
        ],
        kept=len(view.paths) - len(look.seen),
        key={"hmm": look.values["hmm"], "mode": look.mode, "words": look.words},
        words=LatticeWords(
            label=t("lattice.label"),
            say=t("lattice.say"),
            ranks=[t("lattice.best"), *(t("lattice.rank", n=i) for i in range(2, PATHS + 1))],
            legend=[t(f"legend.{name}") for name in ("solid", "dashed")[: len(look.seen)]],
            veiled=t("matrix.veiled"),
        ),
    )


def excerpt(look: Look, way: int) -> str:
    """A path in a line; of a long one that is not the best, the words around what is not on the best."""
    path, best = look.view.paths[way], set(look.view.paths[0].edges)
    apart = [i for i, edge in enumerate(path.edges) if edge not in best]
    first = max(0, apart[0] - 3) if apart and len("".join(path.texts)) + 3 * len(path.edges) > CLIPPED else 0
    return ("… / " if first else "") + clip(" / ".join(path.texts[first:]), CLIPPED)


def fixed(x: float) -> str:
    """Log-probabilities under one another, near ones too."""
    return f"{x:.3f}".replace("-", "−")


def jieba_row(look: Look) -> Row:
    marks = [Mark(w.text, w.start, w.end, f"jieba {w.kind}", mark(look, w), hint(look, w)) for w in look.view.shown]
    return Row(look.t("methods.jieba"), look.t(f"hints.jieba_{look.mode}"), marks)


def hint(look: Look, word: Word) -> str:
    kind = "read" if word.kind == "path" and word.states else word.kind
    return look.t(f"kinds.{kind}", word=word.text, states=word.states, tag=tag_name(look.t, mark(look, word)))


def row(look: Look, name: str) -> Row:
    pieces = look.view.methods[name]
    marks = [Mark(p.text, round(p.start, 3), round(p.end, 3), p.kind, "", said_of(p)) for p in pieces]
    return Row(look.t(f"methods.{name}"), look.t(f"hints.{name}"), marks)


def said_of(piece: Piece) -> str:
    return piece.text if piece.id is None else f"{piece.text} · id {piece.id}"


def controls(look: Look) -> Controls:
    t = look.t
    shown = [
        Control("hmm", t("hmm"), [(id, t(f"hmms.{id}")) for id in ("on", "off")]),
        Control("mode", t("mode"), [(id, t(f"modes.{id}")) for id in MODES]),
    ]
    if look.rival:
        label = t("frequency_of", word=look.rival.text)
        shown.insert(0, Control("words", label, weights(look, look.rival), also=look.waved_off))
    return Controls(shown)


def weights(look: Look, edge: Edge) -> list[tuple[object, str]]:
    """Frequencies to try: the dictionary's own, up to the flip and beyond, and the visitor's."""
    at = look.threshold(edge)
    own, now = edge.frequency, look.view.dictionary.frequency(edge.text)
    tried = {own, now} if at is None else {own, now, *(n for n in (3 * own, at - 1, at, 4 * at) if n > own)}
    # As the visitor wrote them where they are as they are now, so that the present one is found.
    words = {n: weighing(look.words, edge.text, None if n == own else n) for n in tried} | {now: look.words or None}
    return [(words[n], f"{n:,}") for n in sorted(tried)]
