"""A page that only a certain model can show: where the visitor's sentence is not for it, that model's own example."""

from core.zoo import SOURCES, able, model_for, writer_for
from pages.shared.address.address import Repair
from pages.shared.page.renderings import ID
from pages.shared.page.stage import PageContext
from pages.shared.server import cached
from pages.shared.words import samples
from pages.shared.words.texts import Texts

ROOM = 64  # tokens that a template and what is written may take


def settle(page: PageContext, preset: str) -> None:
    """The translator reads Chinese; the visitor's sentence is untouched and travels on."""
    address = page.address
    if model_for(address.own_text) != ID and address.model != ID:
        address.instead = (preset, ID)
        said = address.own_text.strip()
        code = "reads_chinese" if any(map(str.isalnum, said)) else "reads_marks" if said else "reads_nothing"
        address.repairs.append(Repair(code))
    elif address.model != ID:
        address.instead = (address.own_text, ID)
        address.repairs.append(Repair("translates"))


def settle_where_positions_are_added(page: PageContext) -> None:
    """A page about what is added where vectors enter: a model that tells attention instead gives way to one that has a
    table, and says why."""
    if "embedding.position" not in cached.model(page.address.model).tap_dims:
        give_way(page, "adds_no_position")


def settle_where_the_input_is_made(page: PageContext) -> None:
    """The same of a page about √d and segments, too: a model with neither gives way."""
    dims = cached.model(page.address.model).tap_dims
    if "embedding.position" in dims and not {"embedding.scaled", "embedding.segment"} & dims.keys():
        give_way(page, "adds_two")
    else:
        settle_where_positions_are_added(page)


def give_way(page: PageContext, why: str) -> None:
    """To the model that learned its positions, with the visitor's sentence where that is for it."""
    address = page.address  # the page's model is the one that is settled here: nobody may ask for it before
    name = able("learn positions")
    own = address.own_text if model_for(address.own_text) == name and address.own_text.strip() else None
    address.repairs.append(Repair(why, {"own": Texts(address.lang).model(address.model)}))
    address.instead = (own or samples.example("en"), name)


def settle_where_steps_are_shown(page: PageContext) -> None:
    """A page about what a tokenizer does step by step: a model whose tokenizer a library runs gives way to the one for
    this text, and says why."""
    address = page.address
    if not cached.model(address.model).spelt_out:
        address.repairs.append(Repair("cut_by_library", {"own": Texts(address.lang).model(address.model)}))
        address.instead = (address.own_text, model_for(address.own_text))


def settle_to_write(page: PageContext) -> None:
    """A page that shows a text being gone on with: by the model that is chosen, where it does; else by the one for
    texts like this. What that cannot begin with stays as it is, and an example of its own stands here instead. Where
    nobody writes so, the one that translates does."""
    address, own = page.address, page.address.own_text
    if not any("write" in source.can for source in SOURCES.values()):
        return settle(page, samples.presets(page.slug, "zh")[1])
    name = writer(page)
    chosen = name == address.model
    refused = no_beginning(name, own)
    nobody = bool(refused) and refused.code == "reads_unknown" and not chosen
    if nobody and (other := another_writer(name, own)):
        name, refused = other, None
    if refused:
        address.instead = (beginning(name, page), name)
        address.repairs.append(Repair("reads_by_none") if nobody else refused)
    elif not chosen:
        address.instead = (own, name)
        address.repairs.append(Repair("reads_to_go_on"))


def settle_to_write_its_own(page: PageContext) -> None:
    """The same, of a page with a beginning of its own: the path's own sentence ends, and gives way to it."""
    address = page.address
    if not samples.is_example(address.own_text) or not any("write" in source.can for source in SOURCES.values()):
        return settle_to_write(page)
    name = writer(page)
    address.instead = beginning(name, page), name
    address.repairs.append(Repair("reads_own"))


def another_writer(than: str, text: str) -> str | None:
    """One that goes on with a text which the model for such texts does not know."""
    others = (id for id, source in SOURCES.items() if "write" in source.can and id != than)
    return next((id for id in others if no_beginning(id, text) is None), None)


def writer(page: PageContext) -> str:
    """The model that is chosen, where it writes; else the one for texts like this."""
    chosen = SOURCES.get(page.address.model)
    return page.address.model if chosen and "write" in chosen.can else writer_for(page.address.own_text)


def beginning(name: str, page: PageContext) -> str:
    """What a model begins with where the visitor's text will not do: the page's example, else that of going on."""
    stages = cached.model(name).lesson.stages
    for slug in (page.slug, "generation"):
        if examples := stages.get(slug, {}).get("examples"):
            return str(examples[0])
    return samples.example("zh" if SOURCES[name].chinese else "en")


def no_beginning(name: str, text: str) -> Repair | None:
    """Why a model cannot go on with this, if it cannot: it is empty, most of it is unknown to the model, it is long."""
    if not text.strip():
        return Repair("reads_no_beginning")
    model = cached.model(name)
    typed = [token.id for token in cached.trace(name, text).tokens if not token.special]
    if 2 * typed.count(model.tokenizer.unk_id) > len(typed):
        return Repair("reads_unknown")
    count, _ = cached.draft(name, text)
    limit = model.config.positions - min(ROOM, model.config.positions // 8)
    return Repair("reads_too_long", {"tokens": count, "limit": limit}) if count > limit else None
