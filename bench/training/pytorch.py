"""Steps of the same model in PyTorch: python3 pytorch.py THREADS STEPS"""
import json
import math
import os
import sys
import time

for library in "OPENBLAS", "MKL", "OMP":  # read on import; torch.set_num_threads does not reach OpenBLAS
    os.environ[f"{library}_NUM_THREADS"] = sys.argv[1]

import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

LAYERS, HEADS, WIDTH, HIDDEN, CONTEXT, VOCABULARY, BATCH = 4, 4, 128, 512, 64, 65, 12


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.c_attn, self.c_proj = nn.Linear(WIDTH, 3 * WIDTH, bias=False), nn.Linear(WIDTH, WIDTH, bias=False)
        self.up, self.down = nn.Linear(WIDTH, HIDDEN, bias=False), nn.Linear(HIDDEN, WIDTH, bias=False)
        self.register_buffer("mask", torch.ones(CONTEXT, CONTEXT).triu(1).bool(), persistent=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, HEADS, C // HEADS).transpose(1, 2) for t in self.c_attn(self.ln_1(x)).split(C, 2))
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(C // HEADS)
        pattern = scores.masked_fill(self.mask, -math.inf).softmax(-1)
        x = x + self.c_proj((pattern @ v).transpose(1, 2).reshape(B, T, C))
        return x + self.down(F.gelu(self.up(self.ln_2(x)), approximate="tanh"))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(VOCABULARY, WIDTH), nn.Embedding(CONTEXT, WIDTH)
        self.h, self.ln_f = nn.Sequential(*(Block() for _ in range(LAYERS))), nn.LayerNorm(WIDTH)
        for p in self.parameters():
            if p.dim() == 2:
                nn.init.normal_(p, std=0.02)

    def forward(self, ids):
        return F.linear(self.ln_f(self.h(self.wte(ids) + self.wpe.weight)), self.wte.weight)


def main():
    threads, steps = map(int, sys.argv[1:])
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    torch.manual_seed(1)
    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.99), weight_decay=0.1)
    wall, processor = [], []
    for _ in range(steps + 3):
        inputs, targets = torch.randint(VOCABULARY, (2, BATCH, CONTEXT))
        began, used = time.perf_counter(), time.process_time()
        loss = F.cross_entropy(model(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        value = loss.item()
        wall.append(1000 * (time.perf_counter() - began))
        processor.append(1000 * (time.process_time() - used))
    print(json.dumps({"wall": sorted(wall[3:])[steps // 2], "processor": sorted(processor[3:])[steps // 2], "loss": value}))


if __name__ == "__main__":
    main()
