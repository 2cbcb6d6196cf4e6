"""The graph over its ruler, and the controls above it."""

from core.figures.controls import Control, Controls, More
from core.figures.lattice import Arc, Lattice, LatticeWords, Mark, Row, Way
from core.numbers import fixed
from core.text.segmentation import Word
from core.text.word_graph import Edge
from core.views.segmentation import METHODS, PATHS, Piece
from pages.shared.words.numbers import short
from pages.shared.words.texts import clip
from pages.stages.segmentation.context import CLIPPED, MODES, StageContext, weighing
from pages.stages.segmentation.reading import beside, gloss, mark, tag_name, under


def lattice(context: StageContext) -> Lattice:
    t, view = context.t, context.view
    number = {edge: i for i, edge in enumerate(view.edges)}
    kept = len(view.paths) - len(context.seen)
    return Lattice(
        text=context.text,
        edges=[Arc(e.start, e.end, e.text, e.frequency, gloss(t, [e.text]) or "") for e in view.edges],
        ways=[[number[edge] for edge in path.edges] for path in context.seen],
        rows=[jieba_row(context), *(row(context, name) for name in methods(context))],
        paths=[
            Way(i, excerpt(context, i), value, beside(t, path))
            for i, (path, value) in enumerate(zip(context.seen, values(context), strict=True))
            if path.edges
        ],
        kept=kept,
        asked=asked_of(context),
        key={"hmm": context.values["hmm"], "mode": context.mode, "words": context.words},
        words=LatticeWords(
            label=t("lattice.label"),
            say=t("lattice.say"),
            ranks=[t("lattice.best"), *(t("lattice.rank", n=i) for i in range(2, PATHS + 1))],
            unseen=t("lattice.rank" if kept == 1 else "lattice.unseen", n=2, last=1 + kept),
            legend={name: t(f"legend.{name}") for name in legend(context)},
            veiled=t("matrix.veiled"),
            others=others(context),
        ),
    )


def asked_of(context: StageContext) -> int | None:
    """The word that is asked about, while the question is open: to see where it lies answers nothing."""
    rival = context.rival if context.veiled and context.question else None
    edges = context.view.edges
    return next((i for i, e in enumerate(edges) if rival and (e.start, e.end) == (rival.start, rival.end)), None)


def legend(context: StageContext) -> list[str]:
    """Only the lines that this picture has."""
    best, *others = context.seen
    there = {"best": bool(best.edges), "other": bool(others), "asked": asked_of(context) is not None}
    return [name for name, drawn in there.items() if drawn]


def others(context: StageContext) -> str:
    """What the rows under the dictionary's are, and the signs in them."""
    pieces = [piece for name in methods(context) for piece in context.view.methods[name]]
    signs = {
        "unknown": any(piece.kind == "unknown" for piece in pieces),
        "inside": any(p.text[:2] == "##" for p in pieces),
    }
    return "".join([context.t("others.said"), *(context.t(f"others.{sign}") for sign, there in signs.items() if there)])


def excerpt(context: StageContext, way: int) -> str:
    """A path in a line; of a long one that is not the best, the words around what is not on the best."""
    path, best = context.view.paths[way], set(context.view.paths[0].edges)
    apart = [i for i, edge in enumerate(path.edges) if edge not in best]
    first = max(0, apart[0] - 3) if apart and len("".join(path.texts)) + 3 * len(path.edges) > CLIPPED else 0
    return ("… / " if first else "") + clip(" / ".join(path.texts[first:]), CLIPPED)


def values(context: StageContext) -> list[str]:
    """Log-probabilities in the form in which one is followed; with three decimals where two would look alike."""
    every = [path.log_probability for path in context.seen]
    written = [short(x) for x in every]
    return written if len({*written}) == len(written) else [fixed(x, 3) for x in every]


def methods(context: StageContext) -> list[str]:
    """The others; one token a Han character only where there is one to cut."""
    return [name for name in METHODS[1:] if name != "characters" or context.chinese]


def jieba_row(context: StageContext) -> Row:
    marks = [
        Mark(w.text, w.start, w.end, f"jieba {w.kind}", under(context, w), hint(context, w)) for w in context.view.shown
    ]
    return Row(context.method("jieba"), context.t(f"hints.jieba_{context.mode}"), marks)


def hint(context: StageContext, word: Word) -> str:
    kind = kind_of(context, word)
    return context.t(f"kinds.{kind}", word=word.text, states=word.states, tag=tag_name(context.t, mark(context, word)))


def kind_of(context: StageContext, word: Word) -> str:
    """What made a word; of another mode than the accurate one it may be a word that the path does not take."""
    here, place = context.view.text[word.start : word.end] == word.text, (word.start, word.end)
    known = here and any((edge.start, edge.end) == place and edge.frequency for edge in context.view.edges)
    if word.kind == "path" or (word.kind == "joined" and known):
        best = {(edge.start, edge.end) for edge in context.view.paths[0].edges}
        return "read" if word.states else "path" if place in best else "listed"
    if word.kind == "joined":
        return "strung" if not (here and word.text.isascii()) else "joined" if len(word.text) > 1 else "lone"
    return word.kind


def row(context: StageContext, name: str) -> Row:
    pieces = context.view.methods[name]
    marks = [Mark(p.text, round(p.start, 3), round(p.end, 3), p.kind, "", said_of(p)) for p in pieces]
    return Row(context.method(name), context.t(f"hints.{name}"), marks)


def said_of(piece: Piece) -> str:
    return piece.text if piece.id is None else f"{piece.text} · id {piece.id}"


def controls(context: StageContext) -> Controls:
    """What the picture is about is the frequency; where there is one to weigh, the rest waits."""
    t = context.t
    others = [Control("mode", t("mode"), [(id, t(f"modes.{id}")) for id in MODES], usual=MODES[0])]
    if context.chinese:
        hmm = Control("hmm", t("hmm"), [(id, t(f"hmms.{id}")) for id in ("on", "off")], usual="on")
        others.insert(0, hmm)
    if not context.rival:
        return Controls(others)
    label = t("frequency_of", word=context.rival.text)
    frequency = Control("words", label, weights(context, context.rival), also=context.waved_off)
    return Controls([frequency], More(t("more_hmm" if context.chinese else "more_mode"), others))


def weights(context: StageContext, edge: Edge) -> list[tuple[object, str]]:
    """Frequencies to try: the dictionary's own, up to the flip and beyond, and the visitor's."""
    at = context.threshold(edge)
    own, now = edge.frequency, context.view.dictionary.frequency(edge.text)
    tried = {own, now} if at is None else {own, now, *(n for n in (3 * own, at - 1, at, 4 * at) if n > own)}
    # As the visitor wrote them where they are as they are now, so that the present one is found.
    words = {n: weighing(context.words, edge.text, None if n == own else n) for n in tried} | {
        now: context.words or None
    }
    return [(words[n], f"{n:,}") for n in sorted(tried)]
