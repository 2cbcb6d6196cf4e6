"""What if: one thing is changed, and the sheet shows how far that spreads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core import edits
from core.edits import Edit
from core.figures.controls import Control, More, numbered
from core.figures.sheet import Spread
from core.grammar import glosses
from core.grammar.knowledge import known
from core.model.places import Stack
from core.run_spec import RunSpec
from core.views import another_word, sheet
from core.views.another_word import Replaced, Word
from core.views.encoder import LIKELY, without
from core.views.vectors import cosine
from core.zoo import Model
from pages.shared.address.address import Table, choice, index, whole, words
from pages.shared.number.cell_path import FITS, run_prefix
from pages.shared.number.number_panel import Cells
from pages.shared.page.edits import changes, edit_parameter, edits_in
from pages.shared.page.stage import PageContext
from pages.shared.page.whole_model import LINKED
from pages.shared.server import cached
from pages.stages.overview.context import StageContext

NONE, MUTE, WORD, CUT, SILENCE = "none", "mute", "word", "cut", "silence"
EVERY = "every"  # stack
SEEN = 3  # changes that are seen at first
LONGEST = 40  # characters of another word
NAMED = 4  # words that have become others
WHOLE: Mapping[str, Callable[[Model], Edit]] = {
    "zero": lambda model: edits.zero_positions(),
    CUT: lambda model: edits.cut(),
    "lift": lambda model: edits.lift_mask(),
    "drop_sqrt_dk": lambda model: edits.drop_sqrt_dk(model.config.d_head),
}


def offered(page: PageContext) -> tuple[str, ...]:
    """The changes that there is something for in a model, and in a sentence; and those that a link brought."""
    whole = (id for id, make in WHOLE.items() if changes(page.model, make(page.model)))
    brought = edit_parameter(page).parse(page.address.raw.get("edit", ""))
    return (NONE, *((WORD,) if words_of(*page.key) else ()), *whole, MUTE, SILENCE, *((LINKED,) if brought else ()))


def parameters(page: PageContext) -> Table:
    model, found = page.model, words_of(*page.key)
    return {
        "what": choice(*offered(page), default=NONE),
        "swap": index(len(found), another_word.opening(found, kinds(model))),
        "by": words(LONGEST, None, ends="sentence"),
        "stack": choice(EVERY, *model.stacks, default=EVERY),
        "kind": choice(*model.attentions, default=model.attentions[0]),
        "layer": whole(1, max(layers_of(model, kind) for kind in model.attentions), 1),
        "head": whole(1, model.config.heads, 1),
        "edit": edit_parameter(page),
    }


def controls(context: StageContext) -> list[Control]:
    """Which change, and what of it there is to choose. Whoever tries one while a question is open has waved that off:
    what comes out would answer it."""
    what, ids = context.values["what"], offered(context.page)
    shown = [choice_of(context, ids[:SEEN] if what in ids[:SEEN] else ids)]
    shown += {MUTE: heads, WORD: word, CUT: stacks, SILENCE: networks}.get(what, lambda context: [])(context)
    return shown


def more(context: StageContext) -> More | None:
    """The changes that are not seen at first."""
    ids = offered(context.page)
    hidden = ids[SEEN:] if context.values["what"] in ids[:SEEN] else ()
    return More(context.t("what_if.more"), [choice_of(context, hidden)]) if hidden else None


def choice_of(context: StageContext, ids: Sequence[str]) -> Control:
    t = context.t
    names = [(id, t(f"what_if.{id}")) for id in ids]
    hints = ["" if id in (NONE, LINKED) else t(f"what_if.hints.{id}") for id in ids]
    also = {"guess": "skip"} if context.veiled else {}
    return Control("what", t("what_if.label"), names, NONE, also, stepper="never", hints=hints)


def stacks(context: StageContext) -> list[Control]:
    return of_stacks(context, EVERY, *context.page.model.stacks)


def of_stacks(context: StageContext, *ids: str) -> list[Control]:
    """Which stack, where there are several; the first of these while none is chosen."""
    t = context.t
    names = [(id, t(f"what_if.stacks.{id}")) for id in ids]
    return [Control("stack", t("what_if.stack"), names, ids[0])] if len(context.page.model.stacks) > 1 else []


def networks(context: StageContext) -> list[Control]:
    layers = numbered(stack_in(context).layers)
    control = Control("layer", context.t("what_if.layer"), layers, 1, stepper="always")
    return [*of_stacks(context, *context.page.model.stacks), control]


def stack_in(context: StageContext) -> Stack:
    """The stack that one thing is changed in: the first while none is chosen."""
    found = context.page.model.stacks
    return found.get(context.values["stack"]) or next(iter(found.values()))


def heads(context: StageContext) -> list[Control]:
    t, model = context.t, context.page.model
    kinds = [(kind, t(f"kinds.{kind}")) for kind in model.attentions]
    first = [Control("kind", t("what_if.kind"), kinds, model.attentions[0], stepper="always", plain=True)]
    return [
        *(first if len(kinds) > 1 else []),
        Control("layer", t("what_if.layer"), numbered(layers_of(model, context.values["kind"])), 1, stepper="always"),
        Control("head", t("what_if.head"), numbered(model.config.heads), 1, stepper="always"),
    ]


def layers_of(model: Model, kind: str) -> int:
    """How many layers have such an attention."""
    return sum(place.kind == kind for stack in model.stacks.values() for place in stack.sublayers)


def head_of(context: StageContext) -> tuple[str, int, int]:
    """Kind, layer and head that are chosen: of the last layer where there are not so many."""
    kind, layer, head = (context.values[name] for name in ("kind", "layer", "head"))
    return kind, min(layer, layers_of(context.page.model, kind)), head


def silenced(context: StageContext) -> Edit:
    """The feed-forward network that writes nothing: of the last layer where there are not so many."""
    stack = stack_in(context)
    return edits.silence(stack.name, min(context.values["layer"], stack.layers), "feedforward")


def word(context: StageContext) -> list[Control]:
    t, every = context.t, list(enumerate(word.text for word in words_of(*context.key)))
    return [
        Control("swap", t("what_if.swap"), every, also={"by": None}, stepper=True, plain=True),
        Control("by", t("what_if.by"), first=put_there(context), text=LONGEST),
    ]


# ---- another word


@cached.shared
def words_of(name: str, text: str) -> tuple[Word, ...]:
    spans = glosses.cut(text) if cached.model(name).translates else ()
    return another_word.words_of(cached.trace(name, text).tokens, text, spans)


def kinds(model: Model) -> list[tuple[str, ...]]:
    """The kinds of words that the grammar has for a model it was made for, those first that are clear to replace."""
    every = known() if model.translates else {}
    return [every[kind] for kind in sorted(every, key=lambda kind: kind not in ("places", "names"))]


@cached.shared
def suggested(name: str, text: str, word: Word) -> str | None:
    model = cached.model(name)
    return another_word.suggested(model, text, word, kinds(model))


def taken(context: StageContext) -> Word:
    """The word that is replaced."""
    return words_of(*context.key)[context.values["swap"]]


def put_there(context: StageContext) -> str:
    """The word that stands there instead; "" where there is none as yet."""
    return (context.values["by"] or "").strip() or suggested(*context.key, taken(context)) or ""


@cached.shared
def with_word(name: str, text: str, word: Word, by: str) -> Replaced:
    return another_word.replaced(cached.model(name), text, word, by)


def other(context: StageContext) -> Replaced | None:
    """The sentence with another word in it; None where it is the same, or none has been put there."""
    by, word = put_there(context), taken(context)
    return with_word(*context.key, word, by) if by and by != word.text else None


def counted(context: StageContext) -> int:
    """How many tokens the sentence has, those beyond the model's positions too."""
    trace = cached.trace(*context.key)
    return len(trace.tokens) + trace.truncated


# ---- the changed run


def given(context: StageContext) -> RunSpec | None:
    """The changed run: as many tokens, whatever it would write itself. None where nothing is changed, or may be seen
    as yet, or the rows of the two runs do not stand side by side."""
    what = context.values["what"]
    if what == NONE or context.veiled:
        return None
    model = context.page.model
    target = (context.page.translation.text_out or None) if model.translates else None
    if what == WORD:
        found = other(context)
        return RunSpec(found.text, target=target) if found and found.count == counted(context) else None
    made = changes_in(context)
    return RunSpec(target=target, edits=made) if made else None


def changes_in(context: StageContext) -> tuple[Edit, ...]:
    """What is changed in the model."""
    model, what = context.page.model, context.values["what"]
    if what == LINKED:
        return edits_in(context.values["edit"] or "")
    if what == CUT and context.values["stack"] != EVERY:
        return without(model, context.values["stack"])
    if what in WHOLE:
        return (WHOLE[what](model),)
    return (silenced(context) if what == SILENCE else edits.mute(*head_of(context)),)


@dataclass(frozen=True, eq=False)
class Changed:
    """How far everything is apart, and what came out: of a model that writes the words that became others, before and
    after; of one that reads, how alike the mean of the last states still is."""

    lengths: tuple[np.ndarray, ...]
    words: tuple[tuple[int, str, str], ...]  # the row, counted among those that the output reads, before and after
    alike: float

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self.lengths)


def spread(context: StageContext, of: str) -> Spread:
    run = given(context)
    if run is None:
        return Spread(of, "", unsaid(context), swaps(context), (), (), ())
    found = changed(*context.key, run)
    path = run_prefix(run)
    return Spread(
        spread_id(of, context),
        path if len(path) <= FITS else "",
        said(context, found),
        swaps(context),
        renamed(context),
        found.words,
        found.lengths,
    )


def swaps(context: StageContext) -> list[int]:
    """Of each row that is read, which word a press on its name replaces; nothing where none is to be replaced."""
    if context.values["what"] != WORD or context.veiled:
        return []
    words, tokens = words_of(*context.key), cached.trace(*context.key).tokens
    within = ((i for i, word in enumerate(words) if t.start < word.end and word.start < t.end) for t in tokens)
    return [next(found, -1) for found in within]


def renamed(context: StageContext) -> list[tuple[int, str]]:
    """Where other tokens stand now, and which."""
    found = other(context) if context.values["what"] == WORD else None
    pairs = enumerate(zip(cached.trace(*context.key).tokens, found.tokens, strict=True)) if found else ()
    return [(row, new.text) for row, (old, new) in pairs if new.id != old.id]


def spread_id(of: str, context: StageContext) -> str:
    """What the tiles are of: the sheet itself, or the difference that a change makes."""
    run = given(context)
    return of if run is None else f"{of} {run_prefix(run)}"


@cached.shared
def changed(name: str, text: str, given: RunSpec) -> Changed:
    model, long = cached.model(name), len(cached.trace(name, text).tokens) > cached.WHOLE
    before = (kept_outcome if long else outcome)(name, RunSpec(text, target=given.target))
    after = outcome(name, replace(given, text=given.text or text))
    pairs = enumerate(zip(before.ids, after.ids, strict=True))
    words = tuple((i, called(model, one), called(model, other)) for i, (one, other) in pairs if one != other)
    means = (one.vectors[-1].astype(np.float64).mean(0) for one in (before, after))
    return Changed(sheet.spread(before.vectors, after.vectors), words, float(cosine(*means)))


def called(model: Model, id: int) -> str:
    """What a word is called that the output gives."""
    return model.words.piece_of(id) if model.translates and model.words else model.tokenizer.names[id]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is held against another run."""

    vectors: tuple[np.ndarray, ...]  # of each column
    ids: list[int]  # the likeliest word at each row that the output reads; of one that only reads, none

    @property
    def nbytes(self) -> int:
        return sum(one.nbytes for one in self.vectors)


def outcome(name: str, given: RunSpec) -> Outcome:
    model = cached.model(name)
    run = cached.capture(name, given.text or "", only=sheet.taps(model), target=given.target, edits=given.edits)
    ids = [] if model.objective == "compare" else run[LIKELY].argmax(-1).tolist()
    return Outcome(tuple(run[column.tap] for column in sheet.columns(model)), ids)


# Of a long text, a pass of which takes seconds, the run as it is: whoever tries one change tries another.
kept_outcome = cached.shared(outcome)


def said(context: StageContext, found: Changed) -> str:
    """The end of the way: what comes out otherwise. Before it, what a link changed; or that a word is not read that the
    vocabulary lacks."""
    t, first = context.t, []
    if unknown(context):
        first = [t("what_if.unread", word=put_there(context))]
    if context.values["what"] == LINKED:
        names = Cells(context.page, RunSpec(edits=changes_in(context))).said
        first = [t("what_if.changed", changes=t("what_if.and").join(names))]
    return t.together([*first, ended(context, found), t("what_if.below")])


def ended(context: StageContext, found: Changed) -> str:
    t = context.t
    if context.page.model.objective == "compare":
        return t("what_if.vector", cosine=found.alike)
    if not found.words:
        return t("what_if.same")
    some = t("what_if.between").join(t("what_if.became", before=a, after=b) for _, a, b in found.words[:NAMED])
    key = "words" if len(found.words) <= NAMED else "words_some"
    return t(f"what_if.{key}", count=len(found.words), some=some)


def unknown(context: StageContext) -> bool:
    """Whether the word that was put there is no word to this model."""
    if context.values["what"] != WORD:
        return False
    return bool(context.page.model.unknown(put_there(context)))


def unsaid(context: StageContext) -> str:
    """Why nothing glows though a word was to be replaced."""
    if context.values["what"] != WORD or context.veiled:
        return ""
    before, found = taken(context).text, other(context)
    if found is None:
        return context.t("what_if.type", before=before)
    facts = {"before": before, "word": put_there(context), "now": counted(context), "then": found.count}
    return context.t("what_if.uneven", **facts)
