#!/usr/bin/env python3
"""The recipe `shakespeare`'s first 2,000 steps in PyTorch: nanoGPT's small CPU setting, and its estimate of the loss.

    python3 tools/torch/shakespeare.py ../shared/data/tinyshakespeare.txt [--rate 1e-3] [--seed 1] [--steps 2000]

Prints the loss over all held-out text, as `heed train` measures it. Also prints nanoGPT's estimate for the same weights:
the mean over 20 batches of 12 random windows. The estimate is repeated a hundred times.
"""
import argparse
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

LAYERS, HEADS, WIDTH, CONTEXT, BATCH = 4, 4, 128, 64, 12
WARM_UP = 100


class LayerNorm(nn.Module):
    """Without a bias, which PyTorch 1.13's has."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        return F.layer_norm(x, (WIDTH,), self.weight, None, 1e-5)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (part.view(B, T, HEADS, C // HEADS).transpose(1, 2) for part in self.c_attn(x).split(C, 2))
        later = torch.ones(T, T, dtype=torch.bool).triu(1)
        pattern = (q @ k.transpose(-2, -1) / math.sqrt(C // HEADS)).masked_fill(later, -math.inf).softmax(-1)
        return self.c_proj((pattern @ v).transpose(1, 2).reshape(B, T, C))


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.c_fc, self.c_proj = nn.Linear(WIDTH, 4 * WIDTH, bias=False), nn.Linear(4 * WIDTH, WIDTH, bias=False)

    def forward(self, x):
        return self.c_proj(F.gelu(self.c_fc(x), approximate="tanh"))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.attn, self.ln_2, self.mlp = LayerNorm(), Attention(), LayerNorm(), MLP()

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Model(nn.Module):
    """nanoGPT's names and beginning: N(0, 0.02²), of residual projections N(0, 0.02² / (2·layers))."""

    def __init__(self, vocabulary):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.h, self.ln_f = nn.Sequential(*(Block() for _ in range(LAYERS))), LayerNorm()
        for name, p in self.named_parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02 / math.sqrt(2 * LAYERS) if "c_proj" in name else 0.02)

    def forward(self, ids):
        """ids [batch][time] -> logits [batch][time][character]"""
        x = self.wte(ids) + self.wpe.weight[: ids.shape[1]]
        return F.linear(self.ln_f(self.h(x)), self.wte.weight)

    def loss(self, text, starts):
        """-log p of windows of a text, the mean over their characters."""
        windows = torch.stack([text[start : start + CONTEXT + 1] for start in starts])
        return F.cross_entropy(self(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())


def read(path):
    """Ids of characters in the order of their codes: the first nine tenths, and the last."""
    with open(path, encoding="utf8", newline="") as file:
        text = file.read()
    number = {character: i for i, character in enumerate(sorted(set(text)))}
    ids = torch.tensor([number[character] for character in text])
    end = int(0.9 * len(ids))
    return ids[:end], ids[end:], len(number)


def rate_at(step, highest, steps, floor):
    if step < WARM_UP:
        return highest * (step + 1) / (WARM_UP + 1)
    return floor + 0.5 * (highest - floor) * (1 + math.cos(math.pi * (step - WARM_UP) / (steps - WARM_UP)))


@torch.no_grad()
def measure(model, text):
    """Loss over all windows of a text, and a hundred of nanoGPT's estimates of it."""
    starts = torch.arange(0, len(text) - CONTEXT, CONTEXT)
    whole = sum(model.loss(text, part).item() * len(part) for part in starts.split(128)) / len(starts)
    drawn = torch.randint(len(text) - CONTEXT, (100, 20 * BATCH))
    estimates = torch.tensor([model.loss(text, starts).item() for starts in drawn])
    return whole, estimates


def main():
    options = argparse.ArgumentParser()
    options.add_argument("text")
    options.add_argument("--rate", type=float, default=1e-3)
    options.add_argument("--floor", type=float, default=1e-4)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--steps", type=int, default=2000)
    told = options.parse_args()
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(told.seed)
    train, held_back, vocabulary = read(told.text)
    model = Model(vocabulary)
    groups = [{"params": [p for p in model.parameters() if (p.dim() > 1) == matrices], "weight_decay": decay}
              for matrices, decay in ((True, 0.1), (False, 0.0))]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.99))
    began = time.process_time()
    for step in range(told.steps):
        for group in optimizer.param_groups:
            group["lr"] = rate_at(step, told.rate, told.steps, told.floor)
        loss = model.loss(train, torch.randint(len(train) - CONTEXT, (BATCH,)))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % 250 == 0:
            print(f"step {step + 1}  loss {loss.item():.4f}  "
                  f"{1000 * (time.process_time() - began) / (step + 1):.0f} ms of processor a step", flush=True)
    whole, estimates = measure(model, held_back)
    print(f"rate {told.rate}, seed {told.seed}: {whole:.4f} over the whole text held back; nanoGPT's estimate "
          f"{estimates.mean():.4f} ± {estimates.std():.4f}, {estimates.min():.3f} to {estimates.max():.3f}")


if __name__ == "__main__":
    main()
