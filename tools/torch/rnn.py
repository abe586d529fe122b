"""The recurrent encoder–decoders of js/train/models in PyTorch, by the same names of weights.

Cho et al. (2014) has no attention. Bahdanau, Cho and Bengio (2015) and Luong, Pham and Manning (2015) have it.
"""
import math

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Encoder(nn.Module):
    def __init__(self, symbols, embedding, hidden, bidirectional, dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(symbols, embedding)
        self.gru = nn.GRU(embedding, hidden, batch_first=True, bidirectional=bidirectional)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids, lengths):
        x = pack_padded_sequence(self.dropout(self.embedding(ids)), lengths, batch_first=True, enforce_sorted=False)
        states, last = self.gru(x)
        return pad_packed_sequence(states, batch_first=True)[0], last


def softmax(scores, lengths):
    ended = torch.arange(scores.shape[-1]) >= lengths[:, None, None]
    return scores.masked_fill(ended, -math.inf).softmax(-1)


def only(alpha, index):
    """weights [batch][1][key], key [batch] -> 1 for the key of each row, 0 elsewhere"""
    return nn.functional.one_hot(index, alpha.shape[-1]).to(alpha.dtype)[:, None]


class Cho(nn.Module):
    def __init__(self, source, target, embedding, hidden):
        super().__init__()
        self.encoder = Encoder(source, embedding, hidden, True)
        self.decoder = nn.ModuleDict({
            "bridge": nn.Linear(2 * hidden, hidden),
            "embedding": nn.Embedding(target, embedding),
            "gru": nn.GRU(embedding + 2 * hidden, hidden, batch_first=True),
            "output": nn.Linear(3 * hidden + embedding, target)})

    def forward(self, source, lengths, inputs):
        """ids [batch][time] -> logits [batch][time][symbol], None in place of a pattern"""
        _, last = self.encoder(source, lengths)
        d, c = self.decoder, torch.cat([*last], -1)
        y, each = d["embedding"](inputs), c[:, None].expand(-1, inputs.shape[1], -1)
        s, _ = d["gru"](torch.cat([y, each], -1), torch.tanh(d["bridge"](c))[None])
        return d["output"](torch.cat([s, each, y], -1)), None


class AttentiveDecoder(nn.Module):
    """The decoder of Bahdanau et al. on values of any width."""

    def __init__(self, width, first, target, embedding, hidden, dropout=0.0):
        super().__init__()
        self.attention = nn.ModuleDict({
            "W_q": nn.Linear(hidden, hidden, bias=False),
            "W_k": nn.Linear(width, hidden, bias=False),
            "w_a": nn.Linear(hidden, 1, bias=False)})
        self.decoder = nn.ModuleDict({
            "bridge": nn.Linear(first, hidden),
            "embedding": nn.Embedding(target, embedding),
            "gru": nn.GRUCell(embedding + width, hidden),
            "output": nn.Linear(hidden + width + embedding, target)})
        self.dropout = nn.Dropout(dropout)

    def decode(self, h, lengths, first, inputs, take=None):
        """h [batch][time][width], first [batch][feature], ids [batch][time] -> logits, pattern

        take: the index of one value for each row, from the weights [batch][key] and the number of the step
        """
        d, a = self.decoder, self.attention
        s = torch.tanh(d["bridge"](first))
        keys = a["W_k"](h)
        features, patterns = [], []
        for i, y in enumerate(self.dropout(d["embedding"](inputs)).unbind(1)):
            scores = a["w_a"](torch.tanh(a["W_q"](s)[:, None] + keys)).transpose(1, 2)
            alpha = softmax(scores, lengths)
            used = alpha if take is None else only(alpha, take(alpha[:, 0].detach(), i))
            c = (used @ h)[:, 0]
            s = d["gru"](torch.cat([y, c], -1), s)
            features.append(torch.cat([s, c, y], -1))
            patterns.append(alpha[:, 0])
        return d["output"](self.dropout(torch.stack(features, 1))), torch.stack(patterns, 1)


class Bahdanau(AttentiveDecoder):
    def __init__(self, source, target, embedding, hidden, dropout=0.0):
        super().__init__(2 * hidden, hidden, target, embedding, hidden, dropout)
        self.encoder = Encoder(source, embedding, hidden, True, dropout)

    def forward(self, source, lengths, inputs):
        """ids [batch][time] -> logits [batch][time][symbol], pattern [batch][time][source time]"""
        h, last = self.encoder(source, lengths)
        return self.decode(h, lengths, last[-1], inputs)  # of both directions, the backward one


class Luong(nn.Module):
    """Global or local attention (`scope`, with windows of `window` symbols to each side), with or without input feeding.
    `longest` is the number of source symbols that the location score has weights for."""

    def __init__(self, source, target, embedding, hidden, score, feeding=False, scope="global", window=None, longest=1):
        super().__init__()
        self.score, self.feeding, self.scope, self.window = score, feeding, scope, window
        self.encoder = Encoder(source, embedding, hidden, False)
        self.attention = nn.ModuleDict({
            "dot": {},
            "bilinear": {"W": nn.Linear(hidden, hidden, bias=False)},
            "concat": {"W_a": nn.Linear(2 * hidden, hidden, bias=False), "v_a": nn.Linear(hidden, 1, bias=False)},
            "location": {"W_a": nn.Linear(hidden, longest, bias=False)},
        }[score])
        if scope == "local-p":
            self.attention["W_p"] = nn.Linear(hidden, hidden, bias=False)
            self.attention["v_p"] = nn.Linear(hidden, 1, bias=False)
        self.decoder = nn.ModuleDict({
            "embedding": nn.Embedding(target, embedding),
            "gru": nn.GRUCell(embedding + hidden, hidden) if feeding else nn.GRU(embedding, hidden, batch_first=True),
            "W_c": nn.Linear(2 * hidden, hidden, bias=False),
            "output": nn.Linear(hidden, target)})

    def scores(self, s, h):
        if self.score == "dot":
            return s @ h.transpose(1, 2)
        if self.score == "bilinear":
            return s @ self.attention["W"](h).transpose(1, 2)
        if self.score == "location":
            return self.attention["W_a"](s)[..., :h.shape[1]]
        pairs = torch.cat(torch.broadcast_tensors(s[:, :, None], h[:, None]), -1)
        return self.attention["v_a"](torch.tanh(self.attention["W_a"](pairs)))[..., 0]

    def align(self, s, h, lengths, past):
        scores = self.scores(s, h)
        if self.scope == "global":
            return softmax(scores, lengths)
        if self.scope == "local-m":
            center = (torch.arange(s.shape[1]) + past + 1.0).to(s)[None, :, None].expand(len(s), -1, -1)
        else:
            share = torch.sigmoid(self.attention["v_p"](torch.tanh(self.attention["W_p"](s))))
            center = lengths[:, None, None] * share
        place = torch.arange(h.shape[1]) + 1.0
        seen = (place <= lengths[:, None, None]) & ((place - center).abs() <= self.window)
        alone = ~seen.any(-1, keepdim=True)  # windows beyond the text see nothing
        alpha = scores.masked_fill(~(seen | alone), -math.inf).softmax(-1) * seen
        return alpha if self.scope == "local-m" else alpha * torch.exp(-2 * ((place - center) / self.window) ** 2)

    def attend(self, s, h, lengths, past):
        alpha = self.align(s, h, lengths, past)
        return torch.tanh(self.decoder["W_c"](torch.cat([alpha @ h, s], -1))), alpha

    def forward(self, source, lengths, inputs):
        h, last = self.encoder(source, lengths)
        y, s = self.decoder["embedding"](inputs), last[0]
        if not self.feeding:
            combined, alpha = self.attend(self.decoder["gru"](y, last)[0], h, lengths, 0)
            return self.decoder["output"](combined), alpha
        combined, steps = torch.zeros_like(s), []
        for i in range(inputs.shape[1]):
            s = self.decoder["gru"](torch.cat([y[:, i], combined], -1), s)
            steps.append(self.attend(s[:, None], h, lengths, i))
            combined = steps[-1][0][:, 0]
        return self.decoder["output"](torch.cat([c for c, _ in steps], 1)), torch.cat([a for _, a in steps], 1)
