"""The forms a sentence can have: Chinese and English side by side, with the same slots in either order.

In the Chinese, {slot} is filled with a word, and {slot*} is followed by the measure word that `what` needs.
In the English
    {slot}          the word, {slot.past} a form of it
    {who:want}      the verb want, agreeing with who
    word/字         a word that renders the character 字 of the Chinese
and any other word renders nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from . import lexicon as words
from .word import Determiner, Person, Piece, Verb, Word, pieces

Values = Mapping[str, Word]
EMPTY = Word("", {"": (), "to": (), "past": (), "base": ()})


@dataclass(frozen=True, eq=False)
class Slot:
    """A gap in a form. `words`: all that may ever stand in it; `options`: what may, given the slots before it."""

    words: tuple[Word, ...]
    options: Callable[[Values], Sequence[Word]]


@dataclass(frozen=True, eq=False)
class Form:
    """A form of sentence. `slots` are in the order in which they are chosen, each may depend on those before it."""

    id: str
    zh: str
    en: str
    slots: Mapping[str, Slot]


# ---------------------------------------------------------------------------------------------------
# Slots


def one_of(*choices: Word) -> Slot:
    return Slot(choices, lambda values: choices)


def maybe(*choices: Word) -> Slot:
    return one_of(EMPTY, *choices)


def other_than(slot: str, people: tuple[Word, ...] = words.PEOPLE) -> Slot:
    """Somebody else: not the same person, nor one pronoun in singular and plural."""

    def options(values: Values) -> list[Word]:
        first = values[slot]
        same = first.zh.removesuffix("们") if first.kind == "pronoun" else first.zh
        return [p for p in people if (p.zh.removesuffix("们") if p.kind == "pronoun" else p.zh) != same]

    return Slot(people, options)


def related(values: Values) -> list[Person]:
    """Whom somebody may be to another: no relation of their own, and of their sex."""
    who = values["who"]
    assert isinstance(who, Person)
    sex = who.pronoun if who.pronoun in ("he", "she") else None
    return [p for p in words.RELATED if p.zh[0] != who.zh[0] and (not sex or p.pronoun in (None, sex))]


def doing(*verbs: Verb, countable: bool = False) -> dict[str, Slot]:
    """Slots for a verb and for what it is done to; `countable`: only what can be counted or measured."""
    uses = {verb.zh: tuple(n for n in words.of(*verb.senses) if n.measure or not countable) for verb in verbs}
    everything = tuple(dict.fromkeys(noun for nouns in uses.values() for noun in nouns))
    return {"verb": one_of(*verbs), "what": Slot(everything, lambda values: uses[values["verb"].zh])}


def thing(*kinds: str) -> dict[str, Slot]:
    return {"what": one_of(*words.of(*kinds))}


def looks(slot: str = "what") -> Slot:
    """An adjective before the noun, or none."""
    by_noun = {noun.zh: (EMPTY, *(words.ATTRIBUTES[a] for a in sorted(noun.looks))) for noun in words.NOUNS}
    return Slot((EMPTY, *words.ATTRIBUTES.values()), lambda values: by_noun[values[slot].zh])


def said_of(slot: str = "what") -> Slot:
    """An adjective that can be said of the thing."""
    by_noun = {
        noun.zh: tuple(words.ADJECTIVES[a] for a in sorted(noun.looks) if a in words.ADJECTIVES) for noun in words.NOUNS
    }
    return Slot(tuple(words.ADJECTIVES[a] for a in words.LOOKS), lambda values: by_noun[values[slot].zh])


WHO = one_of(*words.PEOPLE)
OTHER = other_than("who")
NOT_I = one_of(*(p for p in words.PEOPLE if p.zh != "我"))  # "Mum and I", never "I and Mum"
WAS_WHEN, WILL_WHEN = maybe(*words.PAST), one_of(*words.FUTURE)
WHERE = maybe(*words.AT)
NUMBER = one_of(*words.NUMBERS, *words.AMOUNTS)
COUNTED = one_of(*words.NUMBERS)
WHICH = one_of(*words.WHICH)
THIS = one_of(*words.THIS_THAT)
GOAL = one_of(*words.GOALS)
DEGREE = Slot(
    words.DEGREES,
    lambda values: words.DEGREES if values["adj"].zh in words.UNWELCOME else words.DEGREES[:3],  # the last is 有点儿
)
HOW_MANY = one_of(Determiner("几", {"": pieces("how many", "几")}, "number", counts=True, many=True))

SOME_ZH, SOME_EN = "{number*}{look}{what}", "{number} {what.unit} {look} {what.counted}"
THE_ZH, THE_EN = "{which*}{what}", "{which} {what.unit} {what}"
SOME = {"number": NUMBER, "look": looks()}

ONCE = doing(*words.ONCE, countable=True)
MEANT = doing(
    *(v for v in words.ONCE if v not in (words.LOSE, words.NOTICE, words.FIND, words.RECEIVE)), countable=True
)
ALWAYS = doing(*words.ALWAYS)
UNDERWAY = doing(*words.UNDERWAY)
DISPOSED = doing(*words.DISPOSE)
ONE_SENSE = one_of(*(v for v in words.ONCE if not v.contextual))
GOODS = thing(*words.GOODS)
JUDGED = thing(
    *words.listed(
        "reading letter show match fruit cake drink clothes hat machine gadget car bicycle furniture box animal "
        "horse flower picture photo song story question gift"
    )
)
MOVABLE = thing(*words.listed("reading letter hat gadget ware tool paper box photo gift clothes fruit"))
LIKED = thing(
    *words.listed(
        "reading show match fruit food cake dish drink car animal horse flower tree "
        "picture photo song story language subject football ball"
    )
)
OWNED = thing(
    *words.listed("reading clothes hat machine gadget car bicycle furniture tool paper box animal horse picture")
)
MODALS = one_of(
    *(Word(zh, {"": pieces(en, zh)}) for zh, en in words.table("应该 should,必须 must,可以 may,不应该 should not"))
)
PERSONAL = one_of(*words.PERSONAL)
JOB = one_of(*words.JOB_NOUNS)
TRAIT, MOOD = one_of(*words.TRAIT_WORDS), one_of(*words.MOOD_WORDS)


# ---------------------------------------------------------------------------------------------------
# Forms

FORMS: dict[str, Form] = {}


def said(id: str, zh: str, en: str, **slots: Slot) -> None:
    add(id, zh, en, slots, "。", ".")


def asked(id: str, zh: str, en: str, **slots: Slot) -> None:
    add(id, zh, en, slots, "？", "?")


def add(id: str, zh: str, en: str, slots: Mapping[str, Slot], mark: str, english_mark: str) -> None:
    """Every form may end with its mark or without."""
    end = Word(mark, {"": (Piece(english_mark, 0, 1),)})
    FORMS[id] = Form(id, zh + "{mark}", en + " {mark}", {**slots, "mark": maybe(end)})


# fmt: off
# What happened, will happen, is happening
said("past", "{who}{when}{where}{verb}了" + SOME_ZH, "{who} {verb.past} " + SOME_EN + " {where} {when}",
     who=WHO, when=WAS_WHEN, where=WHERE, **ONCE, **SOME)
said("past_first", "{when}{who}{where}{verb}了" + SOME_ZH, "{who} {verb.past} " + SOME_EN + " {where} {when}",
     who=WHO, when=one_of(*words.PAST), where=WHERE, **ONCE, **SOME)
said("past_bare", "{who}{when}{where}{verb}了{what}", "{who} {verb.past} {what.a} {where} {when}",
     who=WHO, when=WAS_WHEN, where=WHERE, **ONCE)
said("past_not", "{who}{when}没{verb}{what}", "{who} did/没 not/没 {verb.base} any {what.plural} {when}",
     who=WHO, when=WAS_WHEN, **ONCE)
asked("past_ask", "{who}{when}{verb}{what}了吗", "did {who} {verb.base} any {what.plural} {when}",
      who=WHO, when=WAS_WHEN, **ONCE)
said("will", "{who}{when}会{where}{verb}" + SOME_ZH, "{who} will/会 {verb.base} " + SOME_EN + " {where} {when}",
     who=WHO, when=WILL_WHEN, where=WHERE, **MEANT, **SOME)
said("will_bare", "{who}{when}会{verb}{what}", "{who} will/会 {verb.base} {what.a} {when}",
     who=WHO, when=WILL_WHEN, **MEANT)
said("will_first", "{when}{who}会{verb}" + SOME_ZH, "{who} will/会 {verb.base} " + SOME_EN + " {when}",
     who=WHO, when=WILL_WHEN, **MEANT, **SOME)
said("going_to", "{who}{when}要{verb}" + SOME_ZH, "{who} {who:be} going/要 to {verb.base} " + SOME_EN + " {when}",
     who=WHO, when=maybe(*words.FUTURE), **MEANT, **SOME)
said("going_to_bare", "{who}{when}要{verb}{what}", "{who} {who:be} going/要 to {verb.base} {what.a} {when}",
     who=WHO, when=maybe(*words.FUTURE), **MEANT)
said("underway_short", "{who}在{verb}{what}", "{who} {who:be}/在 {verb.ing} {what.a}", who=WHO, **UNDERWAY)
said("underway_short_at", "{who}{where}{verb}{what}", "{who} {who:be} {verb.ing} {what.a} {where}",
     who=WHO, where=one_of(*words.AT), **UNDERWAY)
said("underway", "{who}正在{verb}{what}", "{who} {who:be}/正在 {verb.ing} {what.a}", who=WHO, **UNDERWAY)
said("underway_at", "{who}正在{place}{verb}{what}", "{who} {who:be}/正在 {verb.ing} {what.a} {place}",
     who=WHO, place=one_of(*words.PLACES), **UNDERWAY)
asked("underway_what", "{who}在做什么", "what/什么 {who:be} {who} doing/做", who=WHO)
said("activity", "{who}{when}{where}{act}了", "{who} {act.past} {where} {when}",
     who=WHO, when=one_of(*words.PAST), where=WHERE, act=one_of(*words.ACTS))
said("activity_now", "{who}正在{place}{act}", "{who} {who:be}/正在 {act.ing} {place}",
     who=WHO, place=maybe(*words.PLACES), act=one_of(*words.ACTS))
said("lasted", "{who}{when}{where}{act}了{long}", "{who} {act.past} {where} for {long} {when}",
     who=WHO, when=maybe(*words.PAST[:6]), where=WHERE, act=one_of(*words.STEMS), long=one_of(*words.HOURS))
said("lasted_long", "{who}{where}{act}了{long}", "{who} {act.past} {where} for {long}",
     who=WHO, where=one_of(*words.AT), act=one_of(*words.LONG_STEMS), long=one_of(*words.YEARS))

# What happens in general
said("every", "{who}{when}{where}{verb}{what}", "{who} {verb.present} {what.usual} {where} {when}",
     who=WHO, when=one_of(*words.HABIT), where=WHERE, **ALWAYS)
said("often", "{who}{often}{verb}{what}", "{who} {often} {verb.present} {what.usual}",
     who=WHO, often=one_of(*words.OFTEN), **ALWAYS)
said("never", "{who}不{verb}{what}", "{who} {who:do}/不 not/不 {verb.base} {what.usual}", who=WHO, **ALWAYS)
asked("ever", "{who}{verb}{what}吗", "{who:do}/吗 {who} {verb.base} {what.usual}", who=WHO, **ALWAYS)
said("every_act", "{who}{when}{where}{act}", "{who} {act.present} {where} {when}",
     who=WHO, when=one_of(*words.HABIT), where=WHERE, act=one_of(*words.HOBBIES))
said("manner", "{who}{act}得{degree}{how}", "{who} {act.present} {degree} {how}",
     who=WHO, act=one_of(*words.MANNER_STEMS), degree=one_of(*words.DEGREES[:2]), how=one_of(*words.MANNERS))

# Likes and wishes
said("like", "{who}喜欢{what}", "{who} {who:like}/喜欢 {what.plural}", who=WHO, **LIKED)
said("like_person", "{who}喜欢{other}", "{who} {who:like}/喜欢 {other.object}", who=WHO, other=OTHER)
said("like_not", "{who}不喜欢{what}", "{who} {who:do}/不 not/不 like/喜欢 {what.plural}", who=WHO, **LIKED)
asked("like_ask", "{who}喜欢{what}吗", "{who:do}/吗 {who} like/喜欢 {what.plural}", who=WHO, **LIKED)
asked("like_why", "{who}为什么喜欢{what}", "why/为什么 {who:do} {who} like/喜欢 {what.plural}", who=WHO, **LIKED)
said("like_both", "{who}和{other}都喜欢{what}", "{who} and/和 {other} both/都 like/喜欢 {what.plural}",
     who=NOT_I, other=OTHER, **LIKED)
said("like_to", "{who}喜欢{verb}{what}", "{who} {who:like}/喜欢 to {verb.base} {what.usual}", who=WHO, **ALWAYS)
said("like_to_not", "{who}不喜欢{verb}{what}", "{who} {who:do}/不 not/不 like/喜欢 to {verb.base} {what.usual}",
     who=WHO, **ALWAYS)
asked("like_to_ask", "{who}喜欢{verb}{what}吗", "{who:do}/吗 {who} like/喜欢 to {verb.base} {what.usual}",
      who=WHO, **ALWAYS)
said("like_act", "{who}喜欢{where}{act}", "{who} {who:like}/喜欢 to {act.base} {where}",
     who=WHO, where=WHERE, act=one_of(*words.HOBBIES))
said("want", "{who}想{verb}" + SOME_ZH, "{who} {who:want}/想 to {verb.base} " + SOME_EN, who=WHO, **MEANT, **SOME)
said("want_bare", "{who}想{verb}{what}", "{who} {who:want}/想 to {verb.base} {what.a}", who=WHO, **UNDERWAY)
said("want_not", "{who}不想{verb}{what}", "{who} {who:do}/不 not/不 want/想 to {verb.base} {what.usual}",
     who=WHO, **ALWAYS)
asked("want_ask", "{who}想{verb}{what}吗", "{who:do}/吗 {who} want/想 to {verb.base} {what.a}", who=WHO, **UNDERWAY)
said("want_act", "{who}{when}想{where}{act}", "{who} {who:want}/想 to {act.base} {where} {when}",
     who=WHO, when=maybe(*words.FUTURE), where=WHERE, act=one_of(*words.HOBBIES))
said("need", "{who}需要" + SOME_ZH, "{who} {who:need}/需要 " + SOME_EN, who=WHO, **GOODS, **SOME)

# Ability, duty, requests
said("can", "{who}会{skill}", "{who} can/会 {skill.base}", who=WHO, skill=one_of(*words.SKILLS))
said("can_not", "{who}不会{skill}", "{who} cannot/不会 {skill.base}", who=WHO, skill=one_of(*words.SKILLS))
asked("can_ask", "{who}会{skill}吗", "can/会 {who} {skill.base}", who=WHO, skill=one_of(*words.SKILLS))
said("should", "{who}{modal}{verb}" + THE_ZH, "{who} {modal} {verb.base} " + THE_EN,
     who=WHO, modal=MODALS, **doing(*words.DISPOSE[:5], words.SEE, words.BUY), which=THIS)
said("please", "请{verb}" + THE_ZH, "please/请 {verb.base} " + THE_EN, **doing(*words.ORDERS), which=WHICH)
said("please_not", "请不要{verb}" + THE_ZH, "please/请 do/不要 not/不要 {verb.base} " + THE_EN,
     **doing(*words.ORDERS), which=WHICH)
said("ask_to", "{who}让{other}{verb}" + THE_ZH, "{who} asked/让 {other.object} to {verb.base} " + THE_EN,
     who=WHO, other=OTHER, **doing(*words.ORDERS), which=WHICH)
said("let_us", "我们去{goal}吧", "let/吧 us/我们 go/去 {goal.to}", goal=GOAL)

# 把 and 被
said("ba", "{who}{when}把" + THE_ZH + "{verb}了", "{who} {verb.past} " + THE_EN + " {when}",
     who=WHO, when=WAS_WHEN, **DISPOSED, which=WHICH)
said("ba_put", "{who}把" + THE_ZH + "放在{spot}了", "{who} put/放 " + THE_EN + " {spot}",
     who=WHO, **MOVABLE, which=WHICH, spot=one_of(*words.SPOTS))
said("bei", THE_ZH + "{when}被{who}{verb}了", THE_EN + " {what:was} {verb.participle} by/被 {who.object} {when}",
     when=WAS_WHEN, who=WHO, **DISPOSED, which=WHICH)
said("bei_person", "{who}{when}被{other}{verb}了", "{who} {who:was} {verb.participle} by/被 {other.object} {when}",
     who=WHO, when=WAS_WHEN, other=OTHER, verb=PERSONAL)
said("person_past", "{who}{when}{verb}了{other}", "{who} {verb.past} {other.object} {when}",
     who=WHO, when=WAS_WHEN, verb=PERSONAL, other=OTHER)

# What there is, and where
said("there", "{spot}有" + SOME_ZH, "there/有 {what:there} " + SOME_EN + " {spot}",
     spot=one_of(*words.SURFACES), **MOVABLE, **SOME)
said("there_room", "{spot}有" + SOME_ZH, "there/有 {what:there} " + SOME_EN + " {spot}",
     spot=one_of(*words.ROOMS), **thing("furniture", "machine", "light", "box", "flower", "picture"), **SOME)
said("there_bare", "{spot}有{what}", "there/有 {what:is} {what.a} {spot}", spot=one_of(*words.SURFACES), **MOVABLE)
said("there_not", "{spot}没有{what}", "there {what:are} no/没有 {what.plural} {spot}",
     spot=one_of(*words.SURFACES), **MOVABLE)
asked("there_ask", "{spot}有{what}吗", "{what:are} there/有 any {what.plural} {spot}",
      spot=one_of(*words.SURFACES), **MOVABLE)
said("thing_at", THE_ZH + "在{spot}", THE_EN + " {what:is}/在 {spot}",
     **MOVABLE, which=WHICH, spot=one_of(*words.SPOTS))
asked("thing_where", THE_ZH + "在哪儿", "where/哪儿 {what:is}/在 " + THE_EN, **MOVABLE, which=WHICH)
said("person_at", "{who}在{place}", "{who} {who:be}/在 {place}", who=WHO, place=one_of(*words.PLACES))
said("person_was_at", "{who}{when}{where}", "{who} {who:was} {where} {when}",
     who=WHO, when=one_of(*words.PAST), where=one_of(*words.AT))
said("was_at_first", "{when}{who}{where}", "{who} {who:was} {where} {when}",
     when=one_of(*words.PAST), who=WHO, where=one_of(*words.AT))
said("person_not_at", "{who}不在{place}", "{who} {who:be}/在 not/不 {place}", who=WHO, place=one_of(*words.PLACES))
asked("person_at_ask", "{who}在{place}吗", "{who:be}/在 {who} {place}", who=WHO, place=one_of(*words.PLACES))
asked("person_where", "{who}在哪儿", "where/哪儿 {who:be}/在 {who}", who=WHO)
said("have", "{who}有" + SOME_ZH, "{who} {who:have}/有 " + SOME_EN, who=WHO, **OWNED, **SOME)
said("have_bare", "{who}有{what}", "{who} {who:have}/有 {what.a}", who=WHO, **OWNED)
said("have_people", "{who}有{number*}{what}", "{who} {who:have}/有 {number} {what.counted}",
     who=WHO, number=one_of(*words.NUMBERS[:5], *words.AMOUNTS), **thing("person"))
said("have_not", "{who}没有{what}", "{who} {who:do}/没 not/没 have/有 any {what.plural}", who=WHO, **OWNED)
asked("have_ask", "{who}有{what}吗", "{who:do}/吗 {who} have/有 any {what.plural}", who=WHO, **OWNED)

# Coming and going
said("went", "{who}{when}{how}去了{goal}", "{who} went/去 {goal.to} {how} {when}",
     who=WHO, when=WAS_WHEN, how=maybe(*words.TRANSPORT), goal=GOAL)
said("went_first", "{when}{who}去了{goal}", "{who} went/去 {goal.to} {when}",
     who=WHO, when=one_of(*words.PAST), goal=GOAL)
said("went_not", "{who}{when}没去{goal}", "{who} did/没 not/没 go/去 {goal.to} {when}",
     who=WHO, when=WAS_WHEN, goal=GOAL)
asked("went_ask", "{who}{when}去{goal}了吗", "did {who} go/去 {goal.to} {when}", who=WHO, when=WAS_WHEN, goal=GOAL)
asked("want_go_ask", "{who}想去{goal}吗", "{who:do}/吗 {who} want/想 to go/去 {goal.to}", who=WHO, goal=GOAL)
said("went_with", "{who}{when}跟{other}一起去了{goal}", "{who} went/去 {goal.to} with/跟 {other.object} {when}",
     who=WHO, when=WAS_WHEN, other=OTHER, goal=GOAL)
said("will_go", "{who}{when}会{how}去{goal}", "{who} will/会 go/去 {goal.to} {how} {when}",
     who=WHO, when=WILL_WHEN, how=maybe(*words.TRANSPORT), goal=GOAL)
said("goes", "{who}{when}去{goal}", "{who} will go/去 {goal.to} {when}", who=WHO, when=WILL_WHEN, goal=GOAL)
said("going_to_go", "{who}{when}要去{goal}", "{who} {who:be} going/要 to go/去 {goal.to} {when}",
     who=WHO, when=maybe(*words.FUTURE), goal=GOAL)
said("want_go", "{who}{when}想去{goal}", "{who} {who:want}/想 to go/去 {goal.to} {when}",
     who=WHO, when=maybe(*words.FUTURE), goal=GOAL)
said("been", "{who}去过{goal}", "{who} {who:have}/过 been/去 {goal.to}", who=WHO, goal=GOAL)
said("been_not", "{who}没去过{goal}", "{who} {who:have}/过 never/没 been/去 {goal.to}", who=WHO, goal=GOAL)

# Experience
said("done", "{who}{verb}过" + THE_ZH, "{who} {who:have}/过 {verb.participle} " + THE_EN,
     who=WHO, **doing(*words.EXPERIENCE), which=THIS)
said("done_not", "{who}没{verb}过" + THE_ZH, "{who} {who:have}/过 not/没 {verb.participle} " + THE_EN,
     who=WHO, **doing(*words.EXPERIENCE), which=THIS)

# What is what, and how
said("is_job", "{who}是{job}", "{who} {who:be}/是 {job}", who=one_of(*words.SOMEBODY), job=JOB)
said("is_related", "{who}是{other}", "{who} {who:be}/是 {other.object}",
     who=one_of(*words.NAMED), other=Slot(words.RELATED, related))
said("is_not_related", "{who}不是{other}", "{who} {who:be}/是 not/不 {other.object}",
     who=one_of(*words.NAMED), other=Slot(words.RELATED, related))
asked("is_related_ask", "{who}是{other}吗", "{who:be}/是 {who} {other.object}",
      who=one_of(*words.NAMED), other=Slot(words.RELATED, related))
said("is_not_job", "{who}不是{job}", "{who} {who:be}/是 not/不 {job}", who=one_of(*words.SOMEBODY), job=JOB)
asked("is_job_ask", "{who}是{job}吗", "{who:be}/是 {who} {job}", who=one_of(*words.SOMEBODY), job=JOB)
said("whose", "{this}是{owner}{what}", "{this} {what:is}/是 {owner} {what}",
     this=THIS, owner=one_of(*words.OWNERS),
     **thing("reading", "hat", "machine", "gadget", "car", "bicycle", "tool", "box"))
asked("whose_ask", "{this}是谁的{what}", "whose/谁 {what} {what:is}/是 {this}",
      this=THIS, **thing("reading", "hat", "machine", "gadget", "car", "bicycle", "tool", "box"))
said("person_is", "{who}{degree}{adj}", "{who} {who:be} {degree} {adj}", who=WHO, adj=TRAIT, degree=DEGREE)
said("person_now", "{who}{when}{degree}{adj}", "{who} {who:be} {degree} {adj} {when}",
     who=WHO, when=maybe(*words.PRESENT), adj=MOOD, degree=DEGREE)
said("now_first", "{when}{who}{degree}{adj}", "{who} {who:be} {degree} {adj} {when}",
     when=one_of(*words.PRESENT), who=WHO, adj=MOOD, degree=DEGREE)
said("person_then", "{who}{when}{degree}{adj}", "{who} {who:was} {degree} {adj} {when}",
     who=WHO, when=one_of(*words.PAST[:5]), adj=MOOD, degree=DEGREE)
asked("person_ask", "{who}{adj}吗", "{who:be}/吗 {who} {adj}",
      who=WHO, adj=one_of(*words.MOOD_WORDS, *words.TRAIT_WORDS))
said("thing_is", THE_ZH + "{degree}{adj}", THE_EN + " {what:is} {degree} {adj}",
     **JUDGED, which=WHICH, adj=said_of(), degree=DEGREE)
asked("how_much", THE_ZH + "多少钱", "how/多少钱 much/多少钱 {what:is} " + THE_EN, **GOODS, which=THIS)
said("think", "{who}觉得" + THE_ZH + "{degree}{adj}", "{who} {who:think}/觉得 " + THE_EN + " {what:is} {degree} {adj}",
     who=WHO, **JUDGED, which=THIS, adj=said_of(), degree=DEGREE)

# Comparison
said("than", "{who}比{other}{adj}", "{who} {who:be} {adj.more} than/比 {other.object}", who=WHO, other=OTHER, adj=TRAIT)
said("not_as", "{who}没有{other}{adj}", "{who} {who:be} not/没有 as {adj} as {other.object}",
     who=WHO, other=OTHER, adj=TRAIT)
said("as_as", "{who}跟{other}一样{adj}", "{who} {who:be} as/一样 {adj} as/跟 {other.object}",
     who=WHO, other=OTHER, adj=TRAIT)
said("most", "{who}最{adj}", "{who} {who:be} the/最 {adj.most}", who=WHO, adj=TRAIT)
said("thing_than", "{this*}{what}比{that*}{adj}", "{this} {what.unit} {what} {what:is} {adj.more} than/比 {that.one}",
     **JUDGED, this=one_of(words.THIS_THAT[0]), that=one_of(words.THIS_THAT[1]), adj=said_of())

# Relative clauses
said("which_is", "{who}{when}{verb}的{what}{degree}{adj}",
     "the {what} that/的 {who} {verb.past} {when} {what:is} {degree} {adj}",
     who=WHO, when=one_of(*words.PAST), **doing(*words.RELATIVE, countable=True), adj=said_of(), degree=DEGREE)
said("who_is", "{verb}了{number*}{what}的{job}{degree}{adj}",
     "the {job.one} who/的 {verb.past} {number} {what.unit} {what.counted} is {degree} {adj}",
     **ONCE, number=COUNTED, job=JOB, adj=MOOD, degree=DEGREE)
said("like_which", "{who}喜欢{other}{when}{verb}的{what}",
     "{who} {who:like}/喜欢 the {what} that/的 {other} {verb.past} {when}",
     who=WHO, other=OTHER, when=one_of(*words.PAST), **doing(*words.RELATIVE, countable=True))

# Questions for a part
asked("who_did", "谁{when}{verb}了" + SOME_ZH, "who/谁 {verb.past} " + SOME_EN + " {when}",
      when=WAS_WHEN, **ONCE, **SOME)
asked("who_is_at", "谁在{verb}{what}", "who/谁 is/在 {verb.ing} {what.a}", **UNDERWAY)
asked("what_did", "{who}{when}{verb}了什么", "what/什么 did {who} {verb.base} {when}",
      who=WHO, when=WAS_WHEN, verb=ONE_SENSE)
asked("where_did", "{who}{when}在哪儿{verb}了" + SOME_ZH, "where/哪儿 did {who} {verb.base} " + SOME_EN + " {when}",
      who=WHO, when=WAS_WHEN, **ONCE, **SOME)
asked("how_many", "{who}{when}{verb}了{number*}{what}",
      "{number} {what.unit} {what.counted} did {who} {verb.base} {when}",
      who=WHO, when=WAS_WHEN, **ONCE, number=HOW_MANY)
asked("when_will", "{who}什么时候去{goal}", "when/什么时候 will {who} go/去 {goal.to}", who=WHO, goal=GOAL)
asked("how_go", "{who}怎么去{goal}", "how/怎么 {who:do} {who} go/去 {goal.to}", who=WHO, goal=GOAL)

# Giving
said("gave", "{who}{when}{give}{other}" + SOME_ZH, "{who} {give.past} {other.object} " + SOME_EN + " {when}",
     who=WHO, when=WAS_WHEN, give=one_of(*words.GIVE), other=OTHER,
     **thing("reading", "clothes", "hat", "tool", "flower", "picture", "photo", "gift", "bicycle", "gadget"), **SOME)

# Weather, causes and conditions
said("rained", "{place}{when}{weather}了", "it {weather.past} {place} {when}",
     place=maybe(*words.CITY_PLACES), when=one_of(*words.PAST), weather=one_of(*words.WEATHER))
said("will_rain", "{place}{when}会{weather}", "it will/会 {weather.base} {place} {when}",
     place=maybe(*words.CITY_PLACES), when=one_of(*words.FUTURE[:6]), weather=one_of(*words.WEATHER))
said("cold", "{place}{when}很{adj}", "it is very/很 {adj} {place} {when}",
     place=maybe(*words.CITY_PLACES), when=one_of(words.PRESENT[0]), adj=one_of(*words.CLIMATE))
said("was_cold", "{place}{when}很{adj}", "it was very/很 {adj} {place} {when}",
     place=maybe(*words.CITY_PLACES), when=one_of(*words.PAST), adj=one_of(*words.CLIMATE))
said("if", "如果{when}{weather}，{who}就在{place}{verb}{what}",
     "if/如果 it {weather.s} {when} , {who} will/就 {verb.base} {what.a} {place}",
     when=one_of(*words.FUTURE[:5]), weather=one_of(*words.WEATHER), who=WHO, place=one_of(*words.PLACES), **UNDERWAY)
said("because", "因为{who}{degree}{adj}，所以没去{goal}",
     "because/因为 {who} {who:was} {degree} {adj} , {who.pronoun} did/没 not/没 go/去 {goal.to}",
     who=one_of(*words.KNOWN_SEX), degree=one_of(*words.DEGREES[:2]), adj=one_of(*words.MOOD_WORDS[1:]), goal=GOAL)
