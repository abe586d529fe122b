"""The encoder–decoder Transformer of js/train/models/transformer-seq2seq.js in PyTorch, around nn.Transformer."""
import math

import torch
import torch.nn.functional as F
from torch import nn

PAD = 0


def positions(time, width):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i + 1) = cos of it."""
    angle = torch.arange(time).double()[:, None] / 10000 ** (torch.arange(0, width, 2).double() / width)
    return torch.stack([angle.sin(), angle.cos()], -1).reshape(time, width)


class Translator(nn.Module):
    def __init__(self, width, heads, hidden, layers, source, target, norm="pre", dropout=0.0):
        super().__init__()
        self.width = width
        self.source = nn.Embedding(source, width)
        self.target = nn.Embedding(target, width)
        self.transformer = nn.Transformer(width, heads, layers, layers, hidden, dropout, batch_first=True,
                                          norm_first=norm == "pre")
        self.dropout = nn.Dropout(dropout)

    def embed(self, table, ids):
        x = table(ids) * math.sqrt(self.width)
        return self.dropout(x + positions(ids.shape[1], self.width).to(x.dtype))

    def forward(self, source, target_in):
        """ids [batch][time] -> logits [batch][time][symbol]; the output layer is the target's table."""
        time = target_in.shape[1]
        later = torch.triu(torch.ones(time, time, dtype=torch.bool), 1)
        padding = source == PAD
        y = self.transformer(self.embed(self.source, source), self.embed(self.target, target_in), tgt_mask=later,
                             src_key_padding_mask=padding, memory_key_padding_mask=padding)
        return F.linear(y, self.target.weight)


def loss_of(logits, target_out, smoothing=0.0):
    """-log p, the mean over symbols that are not padding."""
    return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), ignore_index=PAD, label_smoothing=smoothing)
