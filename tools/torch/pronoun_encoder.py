"""The encoder of js/train/models/pronoun-encoder.js in PyTorch, by the same names of weights."""
import math

import torch
from torch import nn

from translator import positions

PAD = 0


class PronounEncoder(nn.Module):
    def __init__(self, words, width, heads, hidden, blocks, nouns):
        super().__init__()
        self.width = width
        self.words = nn.Embedding(words, width)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, heads, hidden, 0.0, batch_first=True,
                                                               norm_first=True) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, nouns)

    def forward(self, ids, at):
        """ids [batch][time], at [batch]: position of the pronoun -> logits [batch][noun]"""
        x = self.words(ids) * math.sqrt(self.width)
        x = x + positions(ids.shape[1], self.width).to(x.dtype)
        for block in self.blocks:
            x = block(x, src_key_padding_mask=ids == PAD)
        return self.head(self.norm(x[torch.arange(len(ids)), at]))
