"""Other norms on the same numbers."""

from core.model.places import Place
from core.views import layernorm as views
from core.views.layernorm import Trait, Traits
from pages.shared.page.parts import heading, paragraphs, table, write
from pages.shared.server import cached
from pages.shared.words.numbers import Html, abridged, exact, short
from pages.stages.layernorm.context import StageContext, view_of

DIGITS = 2
SAME = 1e-3  # what changes by less is called the same
COLUMNS = ("kind", "mean", "spread", "times", "plus", "alone")


def draw(context: StageContext) -> None:
    t = context.t
    kinds = traits_of(context).kinds
    rows, head = [row(context, trait) for trait in kinds], [t(f"traits.{name}") for name in COLUMNS]
    batch = next(trait for trait in kinds if trait.kind == "batch")
    alone = "traits.moves" if batch.alone > 0 else "traits.stays"
    batches = t.together([t.html("traits.batch"), t.html(alone, token=context.token), t.html("traits.running")])
    said = [batches, t.html("traits.why"), t.html("traits.root")]
    mark = f"<p class='soft'>{t.html('traits.said', same=f'{SAME}')}</p>"
    write(heading(t, "traits"), table(rows, head, "named wrapped"), mark, paragraphs(said))


def traits_of(context: StageContext) -> Traits:
    return traits_at(*context.key, context.view.place, context.row)


@cached.shared
def traits_at(name: str, text: str, place: Place, row: int) -> Traits:
    return views.traits(view_of(name, text, place), row)


def row(context: StageContext, trait: Trait) -> list[object]:
    """What multiplying and adding do is what the question asks."""
    low, high = (short(end, DIGITS + 2) for end in trait.spread)  # with three, 0.9989 would be as near 1 as is allowed
    moved = [context.t("matrix.veiled")] * 2 if context.veiled else [kept(trait.times), kept(trait.plus)]
    one = max(abs(end - 1) for end in trait.spread) < SAME
    spread = verdict(one, Html(low if low == high else f"{low} … {high}"))
    return [context.t(f"methods.{trait.kind}"), kept(trait.mean), spread, *moved, kept(trait.alone)]


def kept(value: float) -> Html:
    """Whether it is none, and how large it is; every digit is there on hover."""
    return verdict(value < SAME, abridged(short(value, DIGITS), exact(value)))


def verdict(holds: bool, said: Html) -> Html:
    return Html(f"<b class='{'holds' if holds else 'fails'}'>{'✓' if holds else '✗'}</b> {said}")
