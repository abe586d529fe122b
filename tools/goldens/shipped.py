#!/usr/bin/env python3
"""Loads every .safetensors of models/ in PyTorch and writes its logits to tests/goldens/shipped.

    python3 tools/goldens/shipped.py

Needs Debian's python3-torch. All weights of a file are loaded into a module by their names, and saved again with the same
bits. Each model has one safetensors file with its input ids and its `logits`, computed in float64.
"""
import glob
import json
import os
import struct
import sys

import torch
from torch import nn

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402
from captioner import Captioner  # noqa: E402
from classifier import Classifier  # noqa: E402
from pronoun_encoder import PronounEncoder  # noqa: E402
from rnn import Bahdanau, Cho, Luong  # noqa: E402
from translator import Translator  # noqa: E402

ROOT = os.path.dirname(TOOLS)
FOLDER = os.path.join(ROOT, "tests", "goldens", "shipped")
DTYPES = {"F32": torch.float32, "F16": torch.float16}
# numbers of symbols, cut to the vocabulary, the second text shorter than the first; 0 pads, 1 begins
SOURCE = torch.tensor([[5, 11, 7, 20, 9], [13, 6, 30, 0, 0]])
TARGET_IN = torch.tensor([[1, 4, 9, 6], [1, 12, 5, 8]])
WORDS = [[40, 7, -1, 1200, 3], [900, 15]]
PIECES = [[[3, 70, 4000], [], [9, 9], [17], [2500, 1]], [[], [33, 44]]]
SENTENCES, PRONOUNS = torch.tensor([[9, 4, 30, 41, 8, 17], [3, 22, 50, 5, 0, 0]]), torch.tensor([3, 1])
PICTURES = torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))
WRITTEN = torch.tensor([[1, 4, 9], [1, 12, 5]])
LETTERS = torch.tensor([[6, 1, 10, 3, 0, 8, 1, 4, 16, 2, 5, 7, 9, 11, 12]])
HISTOGRAM = torch.tensor([[0] + [1] * 14 + [2] * 9 + [3] * 5 + [4] * 2])


class LetterGpt(nn.Module):
    def __init__(self, tokens, width, heads, hidden, layers, time):
        super().__init__()
        self.tok_emb, self.pos_emb = nn.Embedding(tokens, width), nn.Embedding(time, width)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, heads, hidden, 0.0, batch_first=True,
                                                               norm_first=True) for _ in range(layers))
        self.ln_f, self.head = nn.LayerNorm(width), nn.Linear(width, tokens)

    def forward(self, ids):
        time = ids.shape[1]
        x = self.tok_emb(ids) + self.pos_emb.weight[:time]
        for block in self.blocks:
            x = block(x, torch.ones(time, time).triu(1).bool())
        return self.head(self.ln_f(x))


class ToyGpt(nn.Module):
    """One head without a mask, a feed-forward network, no positions, residuals or norms."""

    def __init__(self, tokens, channels, keys, hidden, classes):
        super().__init__()
        self.tok_emb = nn.Embedding(tokens, channels)
        self.block = nn.ModuleDict({
            "attn": nn.ModuleDict({"query": nn.Linear(channels, keys, bias=False),
                                   "key": nn.Linear(channels, keys, bias=False),
                                   "value": nn.Linear(channels, channels, bias=False)}),
            "mlp": nn.Sequential(nn.Linear(channels, hidden), nn.ReLU(), nn.Linear(hidden, channels))})
        self.head = nn.Linear(channels, classes)

    def forward(self, ids):
        x, a = self.tok_emb(ids), self.block["attn"]
        q, k, v = a["query"](x), a["key"](x), a["value"](x)
        return self.head(self.block["mlp"]((q @ k.transpose(1, 2) / q.shape[-1] ** 0.5).softmax(-1) @ v))


def read(path):
    """Tensors by name, and the metadata of the file."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    told = json.loads(header.pop("__metadata__")["heed"])
    return {name: torch.frombuffer(data[slice(*t["data_offsets"])], dtype=DTYPES[t["dtype"]]).reshape(t["shape"])
            for name, t in header.items()}, told


def translator_of(config):
    sizes = len(config["source"]), len(config["target"])
    source = SOURCE.clamp(max=sizes[0] - 1)
    lengths = (source != 0).sum(1)
    if config["model"] == "transformer-seq2seq":
        model = Translator(*(config[k] for k in ("width", "heads", "hidden", "layers")), *sizes, config["norm"])
        return model, lambda: model(source, TARGET_IN), source
    sizes += config["embedding"], config["hidden"]
    makers = {"none": Cho, "bahdanau": Bahdanau, "luong": lambda *sizes: Luong(
        *sizes, config["score"], config.get("inputFeeding", False), config.get("scope", "global"),
        config.get("window"), config.get("longestSource", 1))}
    model = makers[config["attention"]](*sizes)
    return model, lambda: model(source, lengths, TARGET_IN)[0], source


def classifier_of(config):
    model = Classifier(len(config["vocabulary"]), config["buckets"], config["width"], config["heads"], config["hidden"],
                       len(config["labels"]), config["blocks"], config["norm"], config["positions"])
    return model, lambda: model(WORDS, PIECES)[0]


def padded(rows, width):
    return [list(row) + [-1] * (width - len(row)) for row in rows]


def model_of(config, weights):
    """A module, a function that computes its logits, and the input ids of the function."""
    if config.get("model") in ("transformer-seq2seq", "rnn-seq2seq"):
        model, run, source = translator_of(config)
        return model, run, {"source": source, "input": TARGET_IN}
    if config.get("model") == "encoder-classifier":
        time, piece = max(map(len, WORDS)), max(len(pieces) for text in PIECES for pieces in text)
        return *classifier_of(config), {
            "words": torch.tensor(padded(WORDS, time)), "lengths": torch.tensor([len(text) for text in WORDS]),
            "pieces": torch.tensor([padded(text + [[]] * (time - len(text)), piece) for text in PIECES])}
    if config.get("model") == "pronoun-encoder":
        model = PronounEncoder(len(config["words"]), *(config[k] for k in ("width", "heads", "hidden", "blocks")),
                               len(config["nouns"]))
        return model, lambda: model(SENTENCES, PRONOUNS), {"ids": SENTENCES, "at": PRONOUNS}
    if config.get("model") == "captioner":
        model = Captioner(config)
        take = (lambda alpha, _: alpha.argmax(-1)) if config.get("attention") == "hard" else None
        return model, lambda: model(PICTURES.double(), WRITTEN, take)[0], {"pictures": PICTURES, "input": WRITTEN}
    tokens = len(weights["tok_emb.weight"])
    if "channels" in config:
        model = ToyGpt(tokens, *(config[k] for k in ("channels", "keyChannels", "hidden", "classes")))
        return model, lambda: model(HISTOGRAM), {"ids": HISTOGRAM}
    model = LetterGpt(tokens, *(config[k] for k in ("width", "heads", "hidden", "layers", "time")))
    return model, lambda: model(LETTERS), {"ids": LETTERS}


def main():
    os.makedirs(FOLDER, exist_ok=True)
    for path in sorted(glob.glob(os.path.join(ROOT, "models", "*.safetensors"))):
        weights, told = read(path)
        model, run, ids = model_of(told["config"], weights)
        model.eval().load_state_dict(weights)
        for name, tensor in model.state_dict().items():
            assert torch.equal(tensor.to(weights[name].dtype), weights[name]), f"{path}: {name}"
        with torch.no_grad():
            logits = model.double() and run()
        stored = {**ids, "logits": logits}
        safetensors.write(os.path.join(FOLDER, os.path.basename(path)), {name: t.float() for name, t in stored.items()})
        print(f"{os.path.basename(path)}: {len(weights)} tensors, logits {list(logits.shape)}")


main()
