"""The encoder–decoder Transformer of js/train/models/transformer-seq2seq.js in PyTorch, around nn.Transformer.

To train it, or Bahdanau's model, in PyTorch from the same weights, with the same batches and learning rates:

    node tools/torch/translator-steps.js spa-eng-transformer 3000 build/steps && python3 tools/torch/translator.py build/steps
"""
import json
import math
import os
import struct
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

from rnn import Bahdanau

PAD = 0


def positions(count, width):
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i + 1) = cos of it."""
    angle = torch.arange(count).double()[:, None] / 10000 ** (torch.arange(0, width, 2).double() / width)
    return torch.stack([angle.sin(), angle.cos()], -1).reshape(count, width)


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
        count = target_in.shape[1]
        later = torch.triu(torch.ones(count, count, dtype=torch.bool), 1)
        padding = source == PAD
        y = self.transformer(self.embed(self.source, source), self.embed(self.target, target_in), tgt_mask=later,
                             src_key_padding_mask=padding, memory_key_padding_mask=padding)
        return F.linear(y, self.target.weight)


def loss_of(logits, target_out, smoothing=0.0):
    """-log p, the mean over symbols that are not padding."""
    return F.cross_entropy(logits.flatten(0, 1), target_out.flatten(), ignore_index=PAD, label_smoothing=smoothing)


def read(path):
    """F32 tensors of a safetensors file by name."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    header.pop("__metadata__")
    return {name: torch.frombuffer(bytearray(data[slice(*t["data_offsets"])]), dtype=torch.float32).reshape(t["shape"])
            for name, t in header.items()}


def model_of(config):
    if config["model"] == "rnn-seq2seq":
        return Bahdanau(*(config[k] for k in ("source", "target", "embedding", "hidden", "dropout")))
    return Translator(**{k: config[k] for k in ("width", "heads", "hidden", "layers", "source", "target", "norm",
                                                "dropout")})


def run(model, source, target_in):
    """ids [batch][time] -> logits [batch][time][symbol]"""
    if isinstance(model, Bahdanau):
        return model(source, (source != PAD).sum(1), target_in)[0]
    return model(source, target_in)


def main(folder):
    """Takes the steps that tools/torch/translator-steps.js wrote, from the same weights; prints losses."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    with open(os.path.join(folder, "steps.json")) as file:
        told = json.load(file)
    config = told["config"]
    model = model_of(config)
    initial = read(os.path.join(folder, "initial.safetensors"))
    model.load_state_dict({name: initial[name] for name in model.state_dict()})
    matrices = [p for p in model.parameters() if p.dim() > 1]
    others = [p for p in model.parameters() if p.dim() <= 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": told["adamW"]["weightDecay"]},
                                   {"params": others, "weight_decay": 0.0}], betas=told["adamW"].get("betas", (0.9, 0.999)))
    began = time.monotonic()
    for step, taken in enumerate(told["steps"], 1):
        source, target_in, target_out = (torch.tensor(ids) for ids in taken["batch"])
        for group in optimizer.param_groups:
            group["lr"] = taken["rate"]
        optimizer.zero_grad()
        loss = loss_of(run(model, source, target_in), target_out, config.get("smoothing", 0.0))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), told["clip"])
        optimizer.step()
        if step == 1 or step % 20 == 0:
            print(f"step {step}  loss {loss.item():.4f}  {(time.monotonic() - began) / step * 1000:.0f} ms a step",
                  flush=True)
    model.eval()
    total, words = 0.0, 0
    with torch.no_grad():
        for batch in told["validation"]:
            source, target_in, target_out = (torch.tensor(ids) for ids in batch)
            count = int((target_out != PAD).sum())
            total += loss_of(run(model, source, target_in), target_out).item() * count
            words += count
    print(f"held out: {total / words:.4f} nats a word after {len(told['steps'])} steps")


if __name__ == "__main__":
    main(sys.argv[1])
