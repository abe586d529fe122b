#!/usr/bin/env python3
"""Writes tests/goldens/rnn: teacher-forced losses of the recurrent translators by PyTorch, and all their gradients.

    python3 tools/rnn-goldens.py

Needs Debian's python3-torch.  One safetensors file a model: its weights by name, ids with 0 where a sequence has ended,
`logits`, `pattern`, `loss` and `grad.*`.  Computed in float64 from weights that are float32.
"""
import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
import safetensors  # noqa: E402
from bahdanau import Bahdanau, Encoder, softmax  # noqa: E402

FOLDER = os.path.join(os.path.dirname(HERE), "tests", "goldens", "rnn")
SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN = 9, 7, 3, 4
# 0 pads, 1 begins, 2 ends
SOURCE = [[5, 3, 8, 4, 6], [7, 3, 4], [4, 8, 8, 5]]
TARGET = [[3, 5, 4], [6, 6, 3, 4], [5]]


def padded(rows):
    return nn.utils.rnn.pad_sequence([torch.tensor(row) for row in rows], batch_first=True)


class Luong(nn.Module):
    def __init__(self, score):
        super().__init__()
        self.score = score
        self.encoder = Encoder(SOURCE_SYMBOLS, EMBEDDING, HIDDEN, bidirectional=False)
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
write("bahdanau-additive", 1, lambda: Bahdanau(SOURCE_SYMBOLS, TARGET_SYMBOLS, EMBEDDING, HIDDEN))
for number, kind in enumerate(["dot", "bilinear", "concat"]):
    write(f"luong-{kind}", 2 + number, lambda: Luong(kind))
