"""Reads and writes safetensors files (https://huggingface.co/docs/safetensors): length of the header, header, data."""
import json
import struct

import torch

TYPES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.uint8: "U8", torch.int32: "I32"}


def write(path, tensors):
    """tensors: name -> torch.Tensor of one of TYPES."""
    header, blobs, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name, tensor in tensors.items():
        tensor = tensor.detach().contiguous()
        bits = tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor  # numpy has no bfloat16
        blob = bits.numpy().tobytes()
        end = offset + len(blob)
        header[name] = {"dtype": TYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [offset, end]}
        blobs.append(blob)
        offset = end
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for blob in blobs:
            file.write(blob)


def read(path):
    """name -> torch.Tensor, of a file with the types of TYPES."""
    types = {name: dtype for dtype, name in TYPES.items()}
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(data[slice(*entry["data_offsets"])], dtype=types[entry["dtype"]])
            .reshape(entry["shape"]) for name, entry in header.items()}
