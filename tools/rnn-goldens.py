#!/usr/bin/env python3
"""Writes tests/goldens/rnn: teacher-forced losses of the recurrent translators by PyTorch, and all their gradients.

    python3 tools/rnn-goldens.py

Needs Debian's python3-torch.  One safetensors file a model: its weights by name, ids with 0 where a sequence has ended,
`logits`, `pattern`, `loss` and `grad.*`.  Computed in float64 from weights that are float32.
"""
import math
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
import safetensors  # noqa: E402

FOLDER = os.path.join(os.path.dirname(HERE), "tests", "goldens", "rnn")
SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN = 9, 7, 3, 4
# 0 pads, 1 begins, 2 ends
SOURCE = [[5, 3, 8, 4, 6], [7, 3, 4], [4, 8, 8, 5]]
TARGET = [[3, 5, 4], [6, 6, 3, 4], [5]]


def padded(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


class Encoder(nn.Module):
    def __init__(self, bidirectional):
        super().__init__()
        self.embedding = nn.Embedding(SOURCE_SYMBOLS, EMBEDDING)
        self.gru = nn.GRU(EMBEDDING, HIDDEN, batch_first=True, bidirectional=bidirectional)

    def forward(self, ids, lengths):
        x = pack_padded_sequence(self.embedding(ids), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(x)
        return pad_packed_sequence(states, batch_first=True)[0], last[-1]  # of both directions, the backward one


def softmax(scores, lengths):
    ended = torch.arange(scores.shape[-1]) >= lengths[:, None, None]
    return scores.masked_fill(ended, -math.inf).softmax(-1)


class Bahdanau(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(True)
        self.attention = nn.ModuleDict({
            "W_q": nn.Linear(HIDDEN, HIDDEN, bias=False),
            "W_k": nn.Linear(2 * HIDDEN, HIDDEN, bias=False),
            "w_a": nn.Linear(HIDDEN, 1, bias=False)})
        self.decoder = nn.ModuleDict({
            "bridge": nn.Linear(HIDDEN, HIDDEN),
            "embedding": nn.Embedding(TARGET_SYMBOLS, EMBEDDING),
            "gru": nn.GRUCell(EMBEDDING + 2 * HIDDEN, HIDDEN),
            "output": nn.Linear(3 * HIDDEN + EMBEDDING, TARGET_SYMBOLS)})

    def forward(self, source, lengths, inputs):
        h, backward = self.encoder(source, lengths)
        d, a = self.decoder, self.attention
        s = torch.tanh(d["bridge"](backward))
        logits, patterns = [], []
        for y in d["embedding"](inputs).unbind(1):
            scores = a["w_a"](torch.tanh(a["W_q"](s)[:, None] + a["W_k"](h))).transpose(1, 2)
            alpha = softmax(scores, lengths)
            c = (alpha @ h)[:, 0]
            s = d["gru"](torch.cat([y, c], -1), s)
            logits.append(d["output"](torch.cat([s, c, y], -1)))
            patterns.append(alpha[:, 0])
        return torch.stack(logits, 1), torch.stack(patterns, 1)


class Luong(nn.Module):
    def __init__(self, score):
        super().__init__()
        self.score = score
        self.encoder = Encoder(False)
        self.attention = nn.ModuleDict({
            "dot": {},
            "bilinear": {"W": nn.Linear(HIDDEN, HIDDEN, bias=False)},
            "concat": {"W_a": nn.Linear(2 * HIDDEN, HIDDEN, bias=False), "v_a": nn.Linear(HIDDEN, 1, bias=False)},
        }[score])
        self.decoder = nn.ModuleDict({
            "embedding": nn.Embedding(TARGET_SYMBOLS, EMBEDDING),
            "gru": nn.GRU(EMBEDDING, HIDDEN, batch_first=True),
            "W_c": nn.Linear(2 * HIDDEN, HIDDEN, bias=False),
            "output": nn.Linear(HIDDEN, TARGET_SYMBOLS)})

    def scores(self, s, h):
        if self.score == "dot":
            return s @ h.transpose(1, 2)
        if self.score == "bilinear":
            return s @ self.attention["W"](h).transpose(1, 2)
        pairs = torch.cat(torch.broadcast_tensors(s[:, :, None], h[:, None]), -1)
        return self.attention["v_a"](torch.tanh(self.attention["W_a"](pairs)))[..., 0]

    def forward(self, source, lengths, inputs):
        h, last = self.encoder(source, lengths)
        s, _ = self.decoder["gru"](self.decoder["embedding"](inputs), last[None])
        alpha = softmax(self.scores(s, h), lengths)
        combined = torch.tanh(self.decoder["W_c"](torch.cat([alpha @ h, s], -1)))
        return self.decoder["output"](combined), alpha


def write(name, seed, make):
    torch.manual_seed(seed)
    model = make().float().double()
    source, lengths = padded(SOURCE), torch.tensor([len(row) for row in SOURCE])
    inputs, wanted = padded([[1, *row] for row in TARGET]), padded([[*row, 2] for row in TARGET])
    logits, pattern = model(source, lengths, inputs)
    loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), ignore_index=0)
    loss.backward()
    tensors = {n: p.detach() for n, p in model.named_parameters()}
    tensors.update({f"grad.{n}": p.grad for n, p in model.named_parameters()})
    tensors.update({"source": source, "input": inputs, "wanted": wanted, "logits": logits.detach(),
                    "pattern": pattern.detach(), "loss": loss.detach().reshape(1)})
    safetensors.write(os.path.join(FOLDER, f"{name}.safetensors"), {n: t.float() for n, t in tensors.items()})


os.makedirs(FOLDER, exist_ok=True)
write("bahdanau-additive", 1, Bahdanau)
for number, kind in enumerate(["dot", "bilinear", "concat"]):
    write(f"luong-{kind}", 2 + number, lambda: Luong(kind))
