"""The classifier of js/train/models/classifier.js in PyTorch, by the same names of weights."""
import math

import torch
from torch import nn


def positions(time, width):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i + 1) = cos of it."""
    table = torch.zeros(time, width).double()
    angle = torch.arange(time).double().unsqueeze(1) / 10000 ** (torch.arange(0, width, 2).double() / width)
    table[:, 0::2], table[:, 1::2] = torch.sin(angle), torch.cos(angle)
    return table


class Classifier(nn.Module):
    def __init__(self, vocabulary, buckets, width, heads, hidden, labels, blocks, norm="post", positions=1.0):
        super().__init__()
        self.width, self.scale = width, positions
        self.words = nn.Embedding(vocabulary, width)
        self.pieces = nn.Embedding(buckets, width)
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, heads, hidden, 0.0, batch_first=True,
                                                               norm_first=norm == "pre") for _ in range(blocks))
        self.query = nn.Parameter(torch.zeros(1, width))
        self.head = nn.Linear(width, labels)

    def embed(self, word, pieces):
        x = self.words.weight[word] if word >= 0 else torch.zeros(self.width).double()
        return x + self.pieces.weight[pieces].mean(0) if pieces else x

    def forward(self, words, pieces):
        """words: numbers of each text, -1 for one that is not in the vocabulary; pieces: of each word."""
        time = max(map(len, words))
        rows = [torch.stack([self.embed(*pair) for pair in zip(*text)]) for text in zip(words, pieces)]
        x = nn.utils.rnn.pad_sequence(rows, batch_first=True) * math.sqrt(self.width)
        x = x + self.scale * positions(time, self.width)
        padding = torch.arange(time) >= torch.tensor([len(text) for text in words]).unsqueeze(1)
        maps = []
        for block in self.blocks:
            y = block.norm1(x) if block.norm_first else x
            maps.append(block.self_attn(y, y, y, key_padding_mask=padding, average_attn_weights=False)[1])
            x = block(x, src_key_padding_mask=padding)
        scores = (x @ self.query[0] / math.sqrt(self.width)).masked_fill(padding, -math.inf)
        pooled = torch.softmax(scores, -1)
        return self.head((pooled.unsqueeze(-1) * x).sum(1)), pooled, maps
