#!/usr/bin/env python3
"""Writes tests/goldens/quants: blocks of every quantized type by llama.cpp, and the numbers that it decodes from them.

    python3 tools/goldens/quants.py FOLDER_OF_LIBGGML

Needs Debian's python3-torch, and llama.cpp's library: after `npm install @node-llama-cpp/linux-x64`, FOLDER_OF_LIBGGML is
node_modules/@node-llama-cpp/linux-x64/bins/linux-x64. numbers.safetensors has 1,024 random numbers. <type>.safetensors
has `blocks`, their bytes by ggml_quantize_chunk, and `values`, the output of dequantize_row_<type>.
"""
import ctypes
import glob
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch")]
import safetensors  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens", "quants")
# name: (number in GGUF, elements and bytes of a block)
TYPES = {"q4_0": (2, 32, 18), "q4_1": (3, 32, 20), "q5_0": (6, 32, 22), "q5_1": (7, 32, 24), "q8_0": (8, 32, 34),
         "q2_K": (10, 256, 84), "q3_K": (11, 256, 110), "q4_K": (12, 256, 144), "q5_K": (13, 256, 176),
         "q6_K": (14, 256, 210), "iq4_nl": (20, 32, 18), "iq4_xs": (23, 256, 136)}
COLUMNS, ROWS = 256, 4


def main():
    [path] = glob.glob(os.path.join(sys.argv[1], "libggml-base.so*"))
    ggml = ctypes.CDLL(path)
    ggml.ggml_quantize_chunk.restype = ctypes.c_size_t
    ggml.ggml_quantize_chunk.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
                                         ctypes.c_int64, ctypes.c_void_p]
    generator = torch.Generator().manual_seed(1)
    # Rows of other sizes, one far from zero, and a few outliers, so that scales and minima differ from step to step.
    x = torch.randn(ROWS, COLUMNS, generator=generator)
    x = x * torch.tensor([[1.0], [0.02], [30.0], [0.5]]) + torch.tensor([[0.0], [0.0], [0.0], [2.0]])
    x[:, ::37] *= 6
    x = x.contiguous()
    os.makedirs(FOLDER, exist_ok=True)
    safetensors.write(os.path.join(FOLDER, "numbers.safetensors"), {"numbers": x})
    for name, (number, elements, size) in TYPES.items():
        expected = ROWS * COLUMNS // elements * size
        blocks = ctypes.create_string_buffer(expected)
        written = ggml.ggml_quantize_chunk(number, x.data_ptr(), blocks, 0, ROWS, COLUMNS, None)
        assert written == expected, f"{name}: {written} bytes, not {expected}"
        values = torch.empty(ROWS, COLUMNS)
        read = getattr(ggml, f"dequantize_row_{name}")
        read.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]
        read(blocks, values.data_ptr(), ROWS * COLUMNS)
        safetensors.write(os.path.join(FOLDER, f"{name.lower()}.safetensors"), {
            "blocks": torch.frombuffer(bytearray(blocks.raw), dtype=torch.uint8), "values": values})
        error = ((values - x).square().mean(1).sqrt() / x.std(1)).mean().item()
        print(f"{name}: {8 * size / elements:.2f} bits a weight, error {100 * error:.2f} % of the deviation")


if __name__ == "__main__":
    main()
