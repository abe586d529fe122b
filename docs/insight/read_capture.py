"""Reads a capture of heed in PyTorch, and checks one sum of attention: z = pattern · v.

    python read_capture.py capture.npz            # needs numpy and torch
    python read_capture.py capture.safetensors    # needs torch and safetensors

The check needs blocks.N.attn.hook_pattern [head, query, key], hook_v [position, kv_head, d_head] and
hook_z [position, head, d_head] of a layer N.
"""
import sys

import torch


def load(path):
    """name -> torch.Tensor, of an .npz or .safetensors file."""
    if path.endswith(".npz"):
        import numpy
        return {name: torch.from_numpy(array) for name, array in numpy.load(path).items()}
    from safetensors.torch import load_file
    return load_file(path)


def difference(cache, attention):
    """The largest difference between z of a layer's attention and the sum of its values by the pattern."""
    parts = (cache[f"{attention}.hook_{name}"] for name in ("pattern", "v", "z"))
    pattern, v, z = (part.reshape(part.shape[-3:]) for part in parts)  # without the first axis of batch: true
    v = v.repeat_interleave(pattern.shape[0] // v.shape[1], dim=1)  # heads that share keys and values
    return (torch.einsum("hqk,khd->qhd", pattern, v) - z).abs().max().item()


if __name__ == "__main__":
    cache = load(sys.argv[1])
    for name, tensor in cache.items():
        print(f"{name:40} {str(tensor.dtype)[6:]:8} {list(tensor.shape)}")
    layers = [name[:-len(".hook_pattern")] for name in cache if name.endswith(".hook_pattern")]
    for attention in layers:
        if not all(f"{attention}.hook_{name}" in cache for name in ("v", "z")):
            continue  # a capture of the pattern alone
        print(f"{attention}: z differs from pattern · v by at most {difference(cache, attention):.1e}")
