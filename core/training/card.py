"""The translator's model cards, in both languages."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def write_cards(folder: Path, metrics: Mapping[str, Any]) -> None:
    """README.zh.md and README.en.md beside the weights, with the numbers of `metrics`."""
    best = metrics["alignment"]["best"]
    values = {
        "command": metrics["command"],
        "parameters": f"{metrics['parameters']:,}",
        "characters": metrics["vocabulary"]["source"],
        "words": metrics["vocabulary"]["target"],
        "steps": f"{metrics['steps']:,}",
        "minutes": metrics["minutes"],
        "threads": metrics["threads"],
        "tested": f"{metrics['exact_match']['tested']:,}",
        "sentence": f"{metrics['exact_match']['sentence']:.2%}",
        "pair": f"{metrics['exact_match']['pair']:.2%}",
        "layer": best["layer"] + 1,
        "head": best["head"] + 1,
        "aligned": f"{metrics['alignment']['argmax'][best['layer']][best['head']]:.0%}",
    }
    for language, text in CARDS.items():
        (folder / f"README.{language}.md").write_text(text.format(**values), encoding="utf-8")


EN = """# The translator: a Transformer small enough to watch

Chinese to English, by the original architecture of "Attention Is All You Need" (Vaswani et al. 2017): encoder and
decoder of two layers each, d_model 128, 4 heads, d_ff 512, sinusoidal positions, √d scaling, norm after each
sub-layer, ReLU, and one matrix for both embeddings and the output. {parameters} parameters.

It was trained for this site, from nothing, on sentences that a grammar makes (`core/grammar`): no text by
anyone went into it. Licence: MIT, as the rest of the site.

    {command}

{steps} steps, {minutes} minutes on {threads} threads. On {tested} fresh sentences of each kind, translated greedily and
word for word the same as the grammar's English: {sentence} of sentences that were not in training, {pair} of sentences
that hold two words never seen together in training.

## What it cannot do

- It knows {characters} characters and {words} English words, and no others. A character it does not know becomes [UNK].
- It knows the forms of sentence in the grammar and no others. Outside them it still writes, often wrongly, and often
  no proper sentence. It cannot say that it does not know.
- It translates single short sentences. It knows nothing of the world, of context before the sentence, or of tone.
- Where Chinese leaves something open (one or several, the or a, present or past), it writes what the grammar always
  writes, not what a person would find out.
- It must not be used to translate anything that matters.

## What its attention shows

In layer {layer}, head {head} of the cross-attention, {aligned} of the content words look most at a character that they
render. Function words and the end token align with nothing in particular. A word may look elsewhere for good reason:
whether 看 is "watch" or "read" depends on what is being looked at. A weight says where a value was taken from, not why.

## Files

`weights.safetensors` (single precision; the shared matrix is stored once), `config.json`, `vocabulary.json`,
`metrics.json` (how it was made, curves, exact matches, alignment of every head), `snapshot-*.safetensors` (after so
many steps, half precision).
"""

ZH = """# 翻译模型：小到可以看着它工作的 Transformer

中译英，用《Attention Is All You Need》（Vaswani 等，2017）的原始结构：编码器和解码器各两层，d_model 128，4 个注意力头，
d_ff 512，正余弦位置编码，乘 √d，后置归一化，ReLU，两个嵌入表和输出层共用同一个矩阵。共 {parameters} 个参数。

它是为这个网站从零训练的，句子全部由一部语法生成（`core/grammar`），没有用任何人写的文本。许可证：MIT，与网站其余部分相同。

    {command}

训练 {steps} 步，{threads} 个线程用时 {minutes} 分钟。每类各取 {tested} 个全新的句子，贪心解码，
译文与语法给出的英文逐词相同才算对：训练中没有出现过的句子 {sentence}；含有训练中从未同时出现的两个词的句子 {pair}。

## 它做不到什么

- 它只认识 {characters} 个汉字和标点、{words} 个英文词。不认识的字都变成 [UNK]。
- 它只会语法里的句式。超出这些句式它照样写，却常常是错的，也常常不成句；它不会说「我不知道」。
- 它一次只翻译一个短句，不懂世界，不懂上文，也不懂语气。
- 中文没有说明的（一个还是几个、定指还是不定指、现在还是过去），它照语法的惯例写，不会像人那样去弄清楚。
- 不要用它翻译任何要紧的东西。

## 它的注意力说明什么

交叉注意力第 {layer} 层第 {head} 个头上，{aligned} 的实词看得最多的正是它所译的字。虚词和结束词元不对齐。
一个词看向别处也可能有道理：「看」译成 watch 还是 read，要看后面看的是什么。权重说明值从哪里取来，不说明为什么。

## 文件

`weights.safetensors`（单精度，共用的矩阵只存一次）、`config.json`、`vocabulary.json`、`metrics.json`（怎么训练的、曲线、完全匹配、每个头的对齐）、
`snapshot-*.safetensors`（训练到若干步时的参数，半精度）。
"""

CARDS = {"en": EN, "zh": ZH}
