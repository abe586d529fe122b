"""The captioner of js/train/models/captioner.js in PyTorch, by the same names of weights. A Vision Transformer
(Dosovitskiy et al. 2021) reads. The decoder of Bahdanau et al. attends to its patches (Xu et al. 2015).
"""
import torch
from torch import nn
from torch.nn import functional as F

from rnn import AttentiveDecoder


class Captioner(AttentiveDecoder):
    def __init__(self, c):
        super().__init__(c["width"], c["width"], len(c["target"]), c["embedding"], c["hidden"])
        width, self.patch, self.channels = c["width"], c["patch"], c["channels"]
        self.patches = nn.Linear(self.channels * self.patch ** 2, width)
        self.class_token = nn.Parameter(torch.zeros(1, width))
        self.positions = nn.Parameter(torch.zeros(1 + (c["size"] // self.patch) ** 2, width))
        self.blocks = nn.ModuleList(nn.TransformerEncoderLayer(width, c["heads"], c["feedForward"], 0.0, "gelu",
                                                               batch_first=True, norm_first=True)
                                    for _ in range(c["blocks"]))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, len(c["labels"]))

    def forward(self, pictures, inputs, take=None):
        """pictures [batch][channel][y][x], ids [batch][time] -> logits, pattern, labels, map of the first block

        take as in AttentiveDecoder: hard attention. The inputs may be copies of the whole batch, one after the other.
        """
        kernel = self.patches.weight.view(-1, self.channels, self.patch, self.patch)
        tokens = F.conv2d(1 - pictures, kernel, self.patches.bias, stride=self.patch).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_token.expand(len(pictures), 1, -1), tokens], 1) + self.positions
        y = self.blocks[0].norm1(x)
        first = self.blocks[0].self_attn(y, y, y, average_attn_weights=False)[1]
        for block in self.blocks:
            x = block(x)
        x = self.norm(x)
        h = x[:, 1:]
        mean = h.mean(1)
        copies = len(inputs) // len(h)
        h, mean = h.repeat(copies, 1, 1), mean.repeat(copies, 1)
        lengths = torch.full((len(h),), h.shape[1])
        return *self.decode(h, lengths, mean, inputs, take), self.head(x[:, 0]), first
