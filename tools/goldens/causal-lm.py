#!/usr/bin/env python3
"""Losses of the stories model's PyTorch trainer on a small model and text, as the golden for heed's trainer.

    python3 tools/goldens/causal-lm.py

Writes tests/goldens/causal-lm/llama.safetensors: the initial weights (Hugging Face's names), `ids` [step][window]
[position + 1] and `losses` [step] of 40 steps. Optimizer and learning rate are those in tools/stories/train.py.
"""
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch"), os.path.join(TOOLS, "stories")]
import safetensors  # noqa: E402
from model import Config, Llama  # noqa: E402

STEPS, WARM_UP, RATE = 40, 10, 1e-2


def main():
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = Llama(Config(vocab_size=24, hidden_size=32, intermediate_size=48, num_hidden_layers=2,
                         num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=24))
    stored = {f"model.{name}": p.detach().clone() for name, p in model.state_dict().items()}
    # each token depends on the previous token, except one in eight
    ids = torch.zeros(STEPS, 3, 25)
    ids[:, :, 0] = torch.randint(24, (STEPS, 3))
    for t in range(24):
        drawn = torch.randint(24, (STEPS, 3)).float()
        ids[:, :, t + 1] = torch.where(torch.rand(STEPS, 3) < 1 / 8, drawn, (5 * ids[:, :, t] + 3) % 24)
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                                  betas=(0.9, 0.95))
    losses = []
    for step in range(STEPS):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / WARM_UP)
        tokens = ids[step].long()
        loss = model.loss(tokens[:, :-1], tokens[:, 1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    folder = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "causal-lm")
    os.makedirs(folder, exist_ok=True)
    safetensors.write(os.path.join(folder, "llama.safetensors"), {**stored, "ids": ids, "losses": torch.tensor(losses)})
    print(f"loss {losses[0]:.4f} -> {losses[-1]:.4f}")


if __name__ == "__main__":
    main()
