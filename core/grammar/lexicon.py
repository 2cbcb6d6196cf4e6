"""The words the grammar knows."""

from collections.abc import Iterable, Mapping

from .english import plural
from .word import Act, Determiner, Job, Noun, Person, Piece, Verb, Word, phrase, pieces

# ---------------------------------------------------------------------------------------------------
# People

PRONOUNS = (
    # zh, subject, object, possessive, person
    ("我", "I", "me", "my", "1"),
    ("你", "you", "you", "your", "2"),
    ("他", "he", "him", "his", "3"),
    ("她", "she", "her", "her", "3"),
    ("我们", "we", "us", "our", "2"),
    ("你们", "you", "you", "your", "2"),
    ("他们", "they", "them", "their", "2"),
)
NAMES = {
    "he": "小明 Xiaoming,小刚 Xiaogang,小强 Xiaoqiang,李雷 Li Lei,张伟 Zhang Wei,刘洋 Liu Yang,"
    "大卫 David,汤姆 Tom,杰克 Jack,彼得 Peter",
    "she": "小红 Xiaohong,小丽 Xiaoli,小美 Xiaomei,王芳 Wang Fang,李娜 Li Na,陈静 Chen Jing,"
    "玛丽 Mary,露西 Lucy,安娜 Anna,爱丽丝 Alice",
}
KIN = {
    "he": "爸爸 father,爷爷 grandfather,哥哥 older brother,弟弟 younger brother,叔叔 uncle",
    "she": "妈妈 mother,奶奶 grandmother,姐姐 older sister,妹妹 younger sister,阿姨 aunt",
}
JOBS = (
    "老师 teacher,学生 student,医生 doctor,护士 nurse,警察 police officer,司机 driver,工人 worker,经理 manager,"
    "律师 lawyer,厨师 cook,农民 farmer,记者 journalist"
)
ACQUAINTANCES = "朋友 friend,同学 classmate,邻居 neighbour,同事 colleague,老师 teacher"


def table(text: str) -> list[tuple[str, str]]:
    """ "书 book,信 letter" -> [("书", "book"), ("信", "letter")]"""
    return [(zh, en) for zh, _, en in (entry.strip().partition(" ") for entry in text.split(","))]


def listed(text: str) -> tuple[str, ...]:
    """ "reading letter" -> ("reading", "letter")"""
    return tuple(text.split())


def person(zh: str, en: tuple[Piece, ...], objective: tuple[Piece, ...] | None = None, **more) -> Person:
    return Person(zh, {"": en, "object": objective or en}, **more)


def people() -> Iterable[Person]:
    for zh, subject, objective, _, number in PRONOUNS:
        forms = pieces(subject, zh), pieces(objective, zh)
        yield person(zh, *forms, kind="pronoun", person=number, pronoun=subject, atoms=(zh,))
    for pronoun, names in NAMES.items():
        for zh, en in table(names):
            yield person(zh, pieces(en, zh), kind="name", pronoun=pronoun, atoms=(zh,))
    for pronoun, zh, en in (("he", "爸爸", "Dad"), ("she", "妈妈", "Mum")):
        yield person(zh, pieces(en, zh), kind="parent", pronoun=pronoun, atoms=(zh,))
    for zh, en in table(JOBS):
        yield person(zh, phrase(f"the {en}", zh), kind="job", atoms=(zh,))
    for owner, _, _, my, _ in PRONOUNS[:4]:
        for pronoun, names in KIN.items():
            for zh, en in table(names):
                words = pieces(my, owner) + pieces(en, zh, len(owner))
                yield person(owner + zh, words, kind="kin", pronoun=pronoun, atoms=(zh,))
    for owner, _, _, my, _ in PRONOUNS:
        for zh, en in table(ACQUAINTANCES):
            words = pieces(my, owner + "的") + pieces(en, zh, len(owner) + 1)
            yield person(f"{owner}的{zh}", words, kind="acquaintance", atoms=(zh,))


PEOPLE = tuple(people())
KNOWN_SEX = tuple(p for p in PEOPLE if p.pronoun)
JOB_NOUNS = tuple(
    Job(zh, {"one": pieces(en, zh), "plural": pieces(plural(en), zh)}, "job", (zh,)) for zh, en in table(JOBS)
)


# ---------------------------------------------------------------------------------------------------
# Times: Chinese says them before the verb, English at the end


def times(text: str, kind: str) -> tuple[Word, ...]:
    """Words of time. "今天+早上 this+morning" is two words in both languages, in the same order."""
    made = []
    for zh, en in table(text):
        start, english = 0, ()
        for chinese, words in zip(zh.split("+"), en.split("+"), strict=True):
            english += pieces(words, chinese, start)
            start += len(chinese)
        made.append(Word(zh.replace("+", ""), {"": english}, kind, tuple(zh.split("+")[:1])))
    return tuple(made)


PAST = times(
    "昨天 yesterday,前天 the day before yesterday,昨天+早上 yesterday+morning,昨天+下午 yesterday+afternoon,"
    "昨天+晚上 yesterday+evening,今天+早上 this+morning,上个+星期 last+week,上个+月 last+month,去年 last year,"
    "上个+周末 last+weekend",
    "past",
)
FUTURE = times(
    "明天 tomorrow,后天 the day after tomorrow,明天+早上 tomorrow+morning,明天+下午 tomorrow+afternoon,"
    "明天+晚上 tomorrow+evening,下个+星期 next+week,下个+月 next+month,明年 next year,下个+周末 next+weekend",
    "future",
)
PRESENT = times("今天 today,现在 now", "present")
HABIT = times("每天 every day,每天+早上 every+morning,每天+晚上 every+evening,每个+周末 every+weekend", "habit")
OFTEN = tuple(
    Word(zh, {"": pieces(en, zh)}) for zh, en in table("常常 often,总是 always,有时候 sometimes,很少 seldom,也 also")
)
HOURS = times(
    "一个+小时 an+hour,两个+小时 two+hours,三个+小时 three+hours,五个+小时 five+hours,八个+小时 eight+hours,"
    "十+分钟 ten+minutes,二十+分钟 twenty+minutes",
    "duration",
)
YEARS = times(
    "三+天 three+days,四+天 four+days,两个+星期 two+weeks,六个+月 six+months,七个+月 seven+months,一+年 a+year,"
    "九+年 nine+years,十+年 ten+years",
    "duration",
)


# ---------------------------------------------------------------------------------------------------
# Places

# zh, where one is, where one goes
CITIES = "北京 Beijing,上海 Shanghai,南京 Nanjing,广州 Guangzhou,香港 Hong Kong,纽约 New York,巴黎 Paris,伦敦 London"
LOCATIONS = (
    ("学校", "at school", "to school"),
    ("公园", "in the park", "to the park"),
    ("图书馆", "in the library", "to the library"),
    ("医院", "in the hospital", "to the hospital"),
    ("办公室", "in the office", "to the office"),
    ("商店", "in the shop", "to the shop"),
    ("超市", "in the supermarket", "to the supermarket"),
    ("饭馆", "in the restaurant", "to the restaurant"),
    ("火车站", "at the railway station", "to the railway station"),
    ("机场", "at the airport", "to the airport"),
    ("银行", "at the bank", "to the bank"),
    ("海边", "at the seaside", "to the seaside"),
)


def place(zh: str, at: str, to: str) -> Word:
    return Word(zh, {"": phrase(at, zh), "to": phrase(to, zh)}, "place", (zh,))


GOALS = (
    *(place(zh, f"in {en}", f"to {en}") for zh, en in table(CITIES)),
    *(place(*location) for location in LOCATIONS),
)
PLACES = (*GOALS, place("家", "at home", "home"))


def at(where: Word) -> Word:
    """在北京 from 北京: the preposition is one of its words."""
    shifted = tuple(Piece(p.text, p.start + 1, p.end + 1) if p.end else Piece(p.text, 0, 1) for p in where.forms[""])
    known = tuple(p if p.text != "the" else Piece("the") for p in shifted)
    return Word("在" + where.zh, {"": known}, "place", where.atoms)


AT = tuple(at(where) for where in PLACES)

# What stands or lies where: the thing, and its side
SPOTS = tuple(
    Word(
        zh + side,
        {"": (Piece(where, len(zh), len(zh) + 1), Piece("the"), *pieces(en, zh))},
        "spot",
        (zh,),
    )
    for zh, en, side, where in (
        ("桌子", "table", "上", "on"),
        ("桌子", "table", "下", "under"),
        ("床", "bed", "上", "on"),
        ("床", "bed", "下", "under"),
        ("椅子", "chair", "上", "on"),
        ("椅子", "chair", "下", "under"),
        ("沙发", "sofa", "上", "on"),
        ("箱子", "box", "里", "in"),
        ("房间", "room", "里", "in"),
        ("厨房", "kitchen", "里", "in"),
        ("教室", "classroom", "里", "in"),
        ("花园", "garden", "里", "in"),
        ("车", "car", "里", "in"),
    )
)
ROOMS = tuple(spot for spot in SPOTS if spot.zh in ("房间里", "厨房里", "教室里", "花园里"))
SURFACES = tuple(spot for spot in SPOTS if spot.zh[-1] in "上下" or spot.zh == "箱子里")
TRANSPORT = tuple(
    Word(zh, {"": phrase(en, zh)}, "transport", (zh[1:],))
    for zh, en in table(
        "坐火车 by train,坐飞机 by plane,坐船 by boat,坐出租车 by taxi,开车 by car,骑马 on horseback,走路 on foot"
    )
)


# ---------------------------------------------------------------------------------------------------
# How many, and which


def number(zh: str, en: str, many: bool = True, counts: bool = True) -> Determiner:
    return Determiner(zh, {"": pieces(en, zh)}, "number", counts=counts, many=many)


NUMBERS = (
    number("一", "a", many=False),
    *(number(zh, en) for zh, en in table("两 two,三 three,四 four,五 five,六 six,七 seven,八 eight,九 nine,十 ten")),
    number("十二", "twelve"),
    number("二十", "twenty"),
)
AMOUNTS = (number("一些", "some", counts=False), number("很多", "a lot of", counts=False))
THIS_THAT = tuple(
    Determiner(zh, {"": pieces(en, zh), "one": pieces(f"{en} one", zh)}, "which", counts=True)
    for zh, en in table("这 this,那 that")
)
THE = Determiner("", {"": (Piece("the"),)}, "which")
MINE = tuple(Determiner(zh + "的", {"": pieces(my, zh + "的")}, "which") for zh, _, _, my, _ in PRONOUNS)
WHOSE = tuple(
    Determiner(f"{p.zh}的", {"": (*p.forms[""], Piece("'s", len(p.zh), len(p.zh) + 1))}, "which", p.atoms)
    for p in PEOPLE
    if p.kind in ("name", "job", "kin")
)
WHICH = (THE, *THIS_THAT, *MINE)
OWNERS = (*MINE, *WHOSE)


# ---------------------------------------------------------------------------------------------------
# Adjectives. Before a noun they take 的, the short everyday ones excepted

COLOURS = "红 red,黄 yellow,蓝 blue,绿 green,黑 black,白 white"
LOOKS = {
    "大": "big", "小": "small", "新": "new", "旧": "old", "贵": "expensive", "便宜": "cheap", "漂亮": "beautiful",
    "有意思": "interesting", "无聊": "boring", "有名": "famous", "难": "difficult", "容易": "easy", "长": "long",
    "短": "short", "重": "heavy", "轻": "light", "干净": "clean", "脏": "dirty", "好吃": "delicious", "甜": "sweet",
    "热": "hot", "冷": "cold", "快": "fast", "慢": "slow", "舒服": "comfortable", "可爱": "cute", "聪明": "clever",
    "重要": "important",
}  # fmt: skip
TRAITS = {
    "高": "tall", "矮": "short", "胖": "fat", "瘦": "thin", "年轻": "young", "聪明": "clever", "有名": "famous",
    "强壮": "strong", "勇敢": "brave", "努力": "hard-working", "善良": "kind", "安静": "quiet", "懒": "lazy",
    "漂亮": "beautiful",
}  # fmt: skip
MOODS = {
    "高兴": "happy", "累": "tired", "忙": "busy", "生气": "angry", "难过": "sad", "饿": "hungry", "渴": "thirsty",
    "紧张": "nervous", "担心": "worried", "困": "sleepy",
}  # fmt: skip
COMPARATIVES = {
    "big": "bigger", "small": "smaller", "new": "newer", "old": "older", "cheap": "cheaper", "easy": "easier",
    "long": "longer", "short": "shorter", "heavy": "heavier", "light": "lighter", "clean": "cleaner",
    "dirty": "dirtier", "sweet": "sweeter", "hot": "hotter", "cold": "colder", "fast": "faster", "slow": "slower",
    "tall": "taller", "fat": "fatter", "thin": "thinner", "young": "younger", "strong": "stronger",
    "brave": "braver", "cute": "cuter", "clever": "cleverer", "kind": "kinder", "quiet": "quieter", "lazy": "lazier",
}  # fmt: skip
SHORT_LOOKS = ("大", "小", "新", "旧")  # 三本新书, without 的


def adjective(zh: str, en: str, kind: str) -> Word:
    """Said of something ("" and compared): is tall, taller, the tallest."""
    short = COMPARATIVES.get(en)
    more, most = (short, short[:-1] + "st") if short else (f"more {en}", f"most {en}")
    forms = {"": pieces(en, zh), "more": pieces(more, zh), "most": pieces(most, zh)}
    return Word(zh, forms, kind, (zh,))


def attribute(zh: str, en: str) -> Word:
    """Before a noun, with the 的 that it needs there."""
    whole = zh if zh in SHORT_LOOKS else zh + "色的" if en in dict(table(COLOURS)).values() else zh + "的"
    return Word(whole, {"": pieces(en, whole)}, "look", (zh,))


ADJECTIVES = {
    **{zh: adjective(zh, en, "look") for zh, en in LOOKS.items()},
    **{zh: adjective(zh, en, "trait") for zh, en in TRAITS.items()},
    **{zh: adjective(zh, en, "mood") for zh, en in MOODS.items()},
}
TRAIT_WORDS = tuple(ADJECTIVES[zh] for zh in TRAITS)
MOOD_WORDS = tuple(ADJECTIVES[zh] for zh in MOODS)
ATTRIBUTES = {zh: attribute(zh, en) for zh, en in (*LOOKS.items(), *table(COLOURS))}
DEGREES = tuple(Word(zh, {"": pieces(en, zh)}) for zh, en in table("很 very,非常 extremely,不 not,有点儿 a little"))
# What 有点儿 is said of: it complains
UNWELCOME = frozenset(
    [
        "大",
        "小",
        "旧",
        "贵",
        "无聊",
        "难",
        "长",
        "短",
        "重",
        "脏",
        "热",
        "冷",
        "快",
        "慢",
        "甜",
        "矮",
        "胖",
        "瘦",
        "懒",
        "累",
        "忙",
        "生气",
        "难过",
        "饿",
        "渴",
        "紧张",
        "担心",
        "困",
    ]
)
WEATHER = tuple(Verb(zh, {}, "verb", (zh,), senses={"": en}) for zh, en in table("下雨 rain,下雪 snow"))
CLIMATE = tuple(
    Word(zh, {"": pieces(en, zh)}, "climate", (zh,)) for zh, en in table("冷 cold,热 hot,暖和 warm,凉快 cool")
)


# ---------------------------------------------------------------------------------------------------
# Things: kind -> what may be said of them, and the words with their measure words (and units)

THINGS: Mapping[str, tuple[str, str]] = {
    # kind: (adjectives, "zh english measure[=unit]")
    "reading": ("新 旧 贵 便宜 有意思 无聊 有名 难 容易", 
                "书 book 本,小说 novel 本,杂志 magazine 本,报纸 newspaper 份"),
    "letter": ("长 短 重要", "信 letter 封"),
    "show": ("新 有意思 无聊 有名 长", "电影 film 部,电视剧 TV series 部,节目 programme 个"),
    "match": ("有意思 无聊 重要 长", "比赛 match 场"),
    "fruit": ("大 小 甜 好吃 贵 便宜", "苹果 apple 个,橘子 orange 个,香蕉 banana 根,西瓜 watermelon 个"),
    "food": ("大 小 好吃 热 便宜", "鸡蛋 egg 个,饺子 dumpling 个,包子 steamed bun 个,面包 bread 块=piece"),
    "cake": ("大 小 好吃 甜 贵", "蛋糕 cake 个"),
    "dish": ("热 好吃 便宜", "米饭 rice 碗=bowl,面条 noodles 碗=bowl"),
    "drink": ("热 冷 甜 好 贵 便宜", "茶 tea 杯=cup,咖啡 coffee 杯=cup,牛奶 milk 杯=glass,水 water 杯=glass,"
              "果汁 juice 杯=glass,啤酒 beer 瓶=bottle"),
    "clothes": ("红 黄 蓝 绿 黑 白 新 旧 贵 便宜 漂亮 长 短 干净 脏 舒服",
                "衬衫 shirt 件,毛衣 sweater 件,大衣 coat 件,裙子 skirt 条,裤子 trousers 条=pair,鞋 shoes 双=pair"),
    "hat": ("红 黄 蓝 绿 黑 白 新 旧 贵 便宜 漂亮", "帽子 hat 顶"),
    "machine": ("新 旧 贵 便宜 大 小 快 慢", "电脑 computer 台,电视 television 台,空调 air conditioner 台"),
    "gadget": ("新 旧 贵 便宜 黑 白", "手机 phone 部,照相机 camera 台"),
    "light": ("大 小 新 旧 漂亮", "灯 lamp 盏"),
    "car": ("红 黄 蓝 绿 黑 白 新 旧 贵 便宜 快 慢 大 小", "汽车 car 辆,卡车 truck 辆"),
    "bicycle": ("红 黄 蓝 绿 黑 白 新 旧 贵 便宜", "自行车 bicycle 辆"),
    "furniture": ("大 小 新 旧 贵 便宜 漂亮 重 轻 干净 脏 舒服", "桌子 table 张,椅子 chair 把,床 bed 张,沙发 sofa 个"),
    "ware": ("大 小 新 旧 干净 脏 红 蓝 白", "杯子 cup 个,盘子 plate 个,碗 bowl 个,瓶子 bottle 个"),
    "tool": ("新 旧 贵 便宜 红 黄 蓝 绿 黑", 
             "钥匙 key 把,雨伞 umbrella 把,钱包 wallet 个,铅笔 pencil 支,书包 schoolbag 个"),
    "paper": ("新 旧 贵 便宜", "地图 map 张,票 ticket 张"),
    "box": ("大 小 重 轻 新 旧", "箱子 box 个"),
    "opening": ("大 小 红 白 旧", "门 door 扇,窗户 window 扇"),
    "animal": ("大 小 黑 白 可爱 聪明", "狗 dog 只,猫 cat 只,鸟 bird 只,鸡 chicken 只,羊 sheep 只,兔子 rabbit 只,"
               "牛 cow 头,猪 pig 头"),
    "horse": ("大 小 黑 白 快 慢 聪明", "马 horse 匹"),
    "flower": ("红 黄 蓝 白 漂亮 大 小", "花 flower 朵"),
    "tree": ("大 小 绿", "树 tree 棵"),
    "picture": ("漂亮 有名 新 旧 贵 大 小", "画 painting 幅"),
    "photo": ("漂亮 有意思 新 旧 大 小", "照片 photo 张"),
    "song": ("新 有名 长 短 难", "歌 song 首"),
    "story": ("有意思 无聊 长 短 有名", "故事 story 个"),
    "question": ("难 容易 重要 有意思", "问题 question 个"),
    "person": ("", "朋友 friend 个,同学 classmate 个,孩子 child 个,哥哥 older brother 个,姐姐 older sister 个,"
               "弟弟 younger brother 个,妹妹 younger sister 个"),
    "gift": ("大 小 贵 漂亮 有意思", "礼物 gift 件"),
}  # fmt: skip


def noun(kind: str, looks: str, entry: str) -> Noun:
    zh, *english, last = entry.strip().split(" ")
    measure, _, unit = last.partition("=")
    en = " ".join(english)
    count = "pair" if unit == "pair" or en == "noodles" else "mass" if unit else "count"
    many = plural(en) if count == "count" else en
    forms = {"": pieces(en, zh), "plural": pieces(many, zh)}
    usual = frozenset(look for look in looks.split() if look in ATTRIBUTES)
    return Noun(zh, forms, kind, (zh,), measure=measure, unit=unit or None, count=count, looks=usual)


NOUNS = tuple(noun(kind, looks, entry) for kind, (looks, entries) in THINGS.items() for entry in entries.split(","))
MEASURES = tuple(sorted({noun.measure for noun in NOUNS}))
# Without plural, and learnt, spoken, played or done rather than had
LANGUAGES = "汉语 Chinese,英语 English,法语 French"
SUBJECTS = "数学 mathematics,历史 history,音乐 music"
BALLS = "篮球 basketball,网球 tennis"
STRINGS = "钢琴 the piano,吉他 the guitar"


def uncounted(kind: str, entries: str) -> tuple[Noun, ...]:
    return tuple(
        Noun(zh, {"": phrase(en, zh), "plural": phrase(en, zh)}, kind, (zh,), measure="", count="mass")
        for zh, en in table(entries)
    )


ABSTRACT = (
    *uncounted("language", LANGUAGES),
    *uncounted("subject", SUBJECTS),
    *uncounted("football", "足球 football"),
    *uncounted("ball", BALLS),
    *uncounted("strings", STRINGS),
    *uncounted("violin", "小提琴 the violin"),
    *uncounted("homework", "作业 homework"),
)


def of(*kinds: str) -> tuple[Noun, ...]:
    """The things of these kinds."""
    return tuple(noun for noun in (*NOUNS, *ABSTRACT) if noun.kind in kinds)


# ---------------------------------------------------------------------------------------------------
# Verbs: the English one may depend on the object

GOODS = listed(
    "reading fruit food cake dish drink clothes hat machine gadget light car bicycle "
    "furniture ware tool paper box flower picture gift"
)


def verb(zh: str, **senses: str) -> Verb:
    """verb("看", watch="show match", read="reading letter"): an English verb, and the kinds of object it goes with.

    In a verb of several words "_" stands for the space.
    """
    meaning = {kind: en.replace("_", " ") for en, kinds in senses.items() for kind in kinds.split()}
    return Verb(zh, {}, "verb", (zh,), senses=meaning)


ALL_GOODS = " ".join(GOODS)
# With 了 and a number of things: bought three books
BUY = verb("买", buy=ALL_GOODS)
SELL = verb(
    "卖", sell="reading fruit cake clothes hat machine gadget car bicycle furniture flower picture paper animal horse"
)
SEE = verb("看", watch="show", read="reading letter", look_at="picture photo")
NOTICE = verb("看见", see="animal horse car tree flower bicycle")
EAT = verb("吃", eat="fruit food cake dish")
DRINK = verb("喝", drink="drink")
WRITE = verb("写", write="letter story song")
DRAW = verb("画", draw="animal horse tree flower")
SING = verb("唱", sing="song")
LISTEN = verb("听", listen_to="song story")
SHOOT = verb("拍", take="photo", make="show")
MAKE = verb("做", make="cake clothes furniture", do="homework")
WASH = verb("洗", wash="clothes ware fruit car bicycle")
MEND = verb("修", repair="machine gadget light car bicycle furniture")
BORROW = verb("借", borrow="reading tool car bicycle gadget")
FIND = verb("找到", find="tool letter paper gadget animal photo")
LOOK_FOR = verb("找", look_for="tool paper gadget animal")
LOSE = verb("丢", lose="tool paper gadget letter")
TAKE = verb("拿", take="tool fruit ware paper reading")
RIDE = verb("骑", ride="horse bicycle")
DRIVE = verb("开", drive="car")
WEAR = verb("穿", wear="clothes")
WEAR_HAT = verb("戴", wear="hat")
PLANT = verb("种", plant="tree flower")
RECEIVE = verb("收到", receive="letter gift flower photo")
ANSWER = verb("回答", answer="question")
ASK = verb("问", ask="question")
TELL = verb("讲", tell="story")
LEARN = verb("学", learn="language", study="subject")
SPEAK = verb("说", speak="language")
TEACH = verb("教", teach="language subject")
KICK = verb("踢", play="football")
PLAY_BALL = verb("打", play="ball")
PLUCK = verb("弹", play="strings")
BOW = verb("拉", play="violin")
MOVE = verb("搬", move="furniture box machine")

ONCE = (
    BUY, SELL, SEE, NOTICE, EAT, DRINK, WRITE, DRAW, SING, LISTEN, SHOOT, MAKE, WASH, MEND, BORROW, FIND, LOOK_FOR,
    LOSE, TAKE, RECEIVE, ANSWER, ASK, TELL, PLANT, MOVE,
)  # fmt: skip
# In general: drinks coffee, watches films. 唱 is not here: 唱歌 is an action by itself, below
ALWAYS = (
    BUY, SELL, SEE, EAT, DRINK, WRITE, DRAW, LISTEN, SHOOT, WASH, MEND, RIDE, DRIVE, WEAR, WEAR_HAT, LEARN,
    SPEAK, TEACH, KICK, PLAY_BALL, PLUCK, BOW, PLANT, MAKE,
)  # fmt: skip
# Under way: is reading a book
UNDERWAY = (
    BUY, SELL, SEE, EAT, DRINK, WRITE, DRAW, LISTEN, SHOOT, MAKE, WASH, MEND, LOOK_FOR, RIDE, DRIVE, LEARN,
    TEACH, KICK, PLAY_BALL, PLUCK, BOW, ANSWER, TELL, PLANT, MOVE,
)  # fmt: skip
# Done with: 把 and 被, the result in the verb
DISPOSE = (
    verb("卖", sell="reading clothes machine gadget car bicycle furniture picture horse"),
    verb("吃", eat="fruit food cake dish"),
    verb("喝", drink="drink"),
    verb("洗", wash="clothes ware fruit car bicycle"),
    verb("修好", repair="machine gadget light car bicycle furniture"),
    Verb("打破", {}, "verb", ("打破",), senses=dict.fromkeys(("ware", "opening", "light"), "break")),
    verb("打开", open="opening box", turn_on="machine light"),
    verb("关", close="opening box", turn_off="machine light"),
    verb("丢", lose="tool paper gadget letter"),
    verb("拿走", take_away="tool paper gift box reading ware"),
    verb("找到", find="tool paper gadget letter"),
    verb("借走", borrow="reading tool car bicycle"),
)


# Asked for politely
ORDERS = (
    DISPOSE[3], DISPOSE[6], DISPOSE[7], SEE, MOVE, verb("拿", take="tool fruit ware paper reading")
)  # fmt: skip
# What one has or has not done before
EXPERIENCE = (
    SEE,
    LISTEN,
    SING,
    verb("骑", ride="horse bicycle"),
    verb("开", drive="car"),
    WEAR,
    verb("用", use="machine gadget tool"),
)
# The thing that …
RELATIVE = (BUY, SEE, WRITE, LISTEN, BORROW, SHOOT, RECEIVE, verb("画", draw="animal horse flower"), WASH, MEND)
GIVE = tuple(
    Verb(zh, {}, "verb", (zh,), senses={"": en}) for zh, en in table("送给 give,借给 lend,卖给 sell,寄给 send")
)
PERSONAL = tuple(
    Verb(zh, {}, "verb", (zh,), senses={"": en})
    for zh, en in table("批评 criticise,表扬 praise,邀请 invite,骂 scold,救 save,帮助 help")
)


# ---------------------------------------------------------------------------------------------------
# What needs no object: verbs whose English may be two words, each rendering its own character


def act(entry: tuple[str, str]) -> Act:
    """("下+棋", "play+chess"): the characters of the verb and those of what follows it."""
    (zh, _, rest), (lemma, _, tail) = entry[0].partition("+"), entry[1].partition("+")
    return Act(zh + rest, {}, "verb", (zh + rest,), senses={"": lemma}, tail=phrase(tail, rest, len(zh)))


ACTS = tuple(
    map(
        act,
        table(
            "睡觉 sleep,游泳 swim,跑步 run,跳舞 dance,唱歌 sing,工作 work,学习 study,休息 rest,哭 cry,散步 walk,"
            "做饭 cook,"
            "上+课 have+class,下+棋 play+chess,爬+山 climb+mountains,滑冰 skate,聊天 chat,打+电话 make+a phone call,"
            "拍+照 take+photos,打+太极拳 do+tai chi"
        ),
    )
)
HOBBIES = tuple(entry for entry in ACTS if entry.zh not in ("哭", "上课"))
STEMS = tuple(
    map(act, table("睡 sleep,游 swim,跑 run,跳 dance,唱 sing,工作 work,学习 study,休息 rest,等 wait,走 walk,哭 cry"))
)
LONG_STEMS = tuple(map(act, table("工作 work,学习 study,住 live,休息 rest")))
MANNER_STEMS = tuple(
    map(act, table("跑 run,游 swim,走 walk,唱 sing,跳 dance,写 write,说 speak,学 learn,吃 eat,开 drive"))
)
MANNERS = tuple(
    Word(zh, {"": pieces(en, zh)}, "manner", (zh,)) for zh, en in table("快 fast,慢 slowly,好 well,认真 carefully")
)
SKILLS = (
    *ACTS[1:2],
    *ACTS[3:5],
    *(entry for entry in ACTS if entry.zh in ("做饭", "下棋", "滑冰", "打太极拳")),
    *map(
        act,
        table(
            "骑+马 ride+a horse,骑+自行车 ride+a bicycle,开+车 drive+a car,说+汉语 speak+Chinese,说+英语 speak+English,"
            "说+法语 speak+French,弹+钢琴 play+the piano,弹+吉他 play+the guitar,拉+小提琴 play+the violin,"
            "踢+足球 play+football,打+篮球 play+basketball,打+网球 play+tennis,"
            "画+画 paint+pictures,写+小说 write+novels"
        ),
    ),
)
RELATED = tuple(p for p in PEOPLE if p.kind in ("kin", "acquaintance"))
NAMED = tuple(p for p in PEOPLE if p.kind in ("pronoun", "name") and not p.zh.endswith("们"))
SOMEBODY = tuple(p for p in PEOPLE if p.kind != "job")
CITY_PLACES = GOALS[: len(table(CITIES))]
