#!/usr/bin/env python3
"""The recipe stories-base in PyTorch, the reference for `heed train stories-base`.

    python3 tools/stories/train.py --data ../shared/data --out build/stories [--steps N --decay K]

Needs Debian's python3-torch, python3-regex and libopenblas0 (the reference BLAS is twenty times slower). Ctrl-C stops
the training. The same command with the same --out resumes it from the last checkpoint. The learning rate warms up, stays
constant, and falls to zero over the last --decay steps. --steps may change between runs while the rate is constant. The
last --long steps see windows of the full context, so that positions beyond --window are trained too.
"""
import argparse
import json
import math
import os
import signal
import sys
import time

import numpy as np
import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from model import Config, Llama  # noqa: E402
from prepare import prepare  # noqa: E402


def windows(tokens, starts, length, count, generator):
    """[count][length + 1] tokens. Each window starts at a story: position 0 is always the end token before it."""
    usable = starts[: np.searchsorted(starts, len(tokens) - length - 1)]
    picks = usable[torch.randint(len(usable), (count,), generator=generator).numpy()]
    return torch.from_numpy(np.stack([tokens[p:p + length + 1] for p in picks]).astype(np.int64))


@torch.no_grad()
def validation_loss(model, tokens, length=256, batch=32):
    """Mean cross-entropy in nats per token over the whole validation text, in windows of `length`."""
    model.eval()
    count = (len(tokens) - 1) // length
    x = torch.from_numpy(tokens[:count * length].astype(np.int64)).view(count, length)
    y = torch.from_numpy(tokens[1:count * length + 1].astype(np.int64)).view(count, length)
    total = sum(model.loss(x[i:i + batch], y[i:i + batch]).item() * len(x[i:i + batch]) for i in range(0, count, batch))
    model.train()
    return total / count


def learning_rate(step, args):
    if step < args.warmup:
        return args.rate * (step + 1) / args.warmup
    left = args.steps - step
    return args.rate * min(1.0, left / args.decay) if left > 0 else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--steps", type=int, default=5700)
    parser.add_argument("--decay", type=int, default=1580)
    parser.add_argument("--long", type=int, default=250, help="last steps, which see the full context")
    parser.add_argument("--warmup", type=int, default=200)
    parser.add_argument("--rate", type=float, default=2.5e-3)
    parser.add_argument("--batch", type=int, default=12, help="windows per step")
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.set_flush_denormal(True)
    prepare(args.data, args.out)
    train, validation = (np.load(os.path.join(args.out, name)) for name in ("train.npy", "validation.npy"))
    starts = np.flatnonzero(train == 0)

    torch.manual_seed(args.seed)
    model = Llama(Config())
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
                                  lr=args.rate, betas=(0.9, 0.95))
    generator = torch.Generator().manual_seed(args.seed)
    step, seen, spent = 0, 0, 0.0
    path = os.path.join(args.out, "checkpoint.pt")
    if os.path.exists(path):
        state = torch.load(path)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimiser"])  # spelled as in existing checkpoints; words: allow
        generator.set_state(state["generator"])
        step, seen, spent = state["step"], state["seen"], state["spent"]
        print(f"resuming from step {step}", flush=True)
    print(f"{sum(p.numel() for p in model.parameters())} parameters", flush=True)

    def save():  # words: allow
        torch.save({"model": model.state_dict(), "optimiser": optimizer.state_dict(), "generator": generator.get_state(),
                    "step": step, "seen": seen, "spent": spent}, path + ".new")
        os.replace(path + ".new", path)

    stop = []
    signal.signal(signal.SIGINT, lambda *_: stop.append(True))
    signal.signal(signal.SIGTERM, lambda *_: stop.append(True))
    log = open(os.path.join(args.out, "log.jsonl"), "a", encoding="utf-8")
    running, began = None, time.time()
    while step < args.steps and not stop:
        t0 = time.time()
        long = step >= args.steps - args.long
        length = Config.max_position_embeddings if long else args.window
        count = max(1, args.batch * args.window // length)
        tokens = windows(train, starts, length, count, generator)
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, args)
        loss = model.loss(tokens[:, :-1], tokens[:, 1:])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        step += 1
        seen += tokens[:, 1:].numel()
        spent += time.time() - t0
        value = loss.item()
        if not math.isfinite(value):
            sys.exit(f"the loss at step {step} is {value}; the last checkpoint is kept")
        running = value if running is None else 0.98 * running + 0.02 * value
        if step % 20 == 0:
            rate = spent / step
            print(f"step {step}/{args.steps}  loss {running:.4f}  {tokens[:, 1:].numel() / (time.time() - t0):.0f} tokens/s  "
                  f"left {(args.steps - step) * rate / 60:.0f} min", flush=True)
        if step % 500 == 0 or step == args.steps:
            v = validation_loss(model, validation)
            print(f"step {step}  validation {v:.4f}", flush=True)
            log.write(json.dumps({"step": step, "tokens": seen, "train": running, "validation": v, "seconds": round(spent)}) + "\n")
            log.flush()
        if step % 250 == 0:
            save()
    save()
    print(f"stopped at step {step} after {(time.time() - began) / 60:.1f} min", flush=True)


if __name__ == "__main__":
    main()
