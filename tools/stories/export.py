#!/usr/bin/env python3
"""The trained stories model as a Hugging Face folder: model.safetensors (F32), config.json, tokenizer.json.

    python3 tools/stories/export.py build/stories build/heed-stories

GGUF is then one step away:

    node tools/convert-hf.js build/heed-stories models/stories.gguf --type q8_0
"""
import argparse
import dataclasses
import json
import os
import shutil
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
import safetensors  # noqa: E402
from model import Config  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", help="the folder that train.py wrote")
    parser.add_argument("folder", help="the folder to make")
    args = parser.parse_args()
    state = torch.load(os.path.join(args.run, "checkpoint.pt"), map_location="cpu")
    os.makedirs(args.folder, exist_ok=True)
    weights = {f"model.{name}": tensor for name, tensor in state["model"].items()}
    safetensors.write(os.path.join(args.folder, "model.safetensors"), weights)
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", **dataclasses.asdict(Config()),
              "hidden_act": "silu", "tie_word_embeddings": True, "bos_token_id": 0, "eos_token_id": 0,
              "torch_dtype": "float32"}
    with open(os.path.join(args.folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config, file, indent=2)
    shutil.copy(os.path.join(args.run, "tokenizer.json"), args.folder)
    print(f"step {state['step']}: {args.folder}")


if __name__ == "__main__":
    main()
