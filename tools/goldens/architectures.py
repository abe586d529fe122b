#!/usr/bin/env python3
"""Writes tests/goldens: tiny random models as Hugging Face folders, and every stage of their forward pass.

    python3 tools/goldens/architectures.py

Needs Debian's python3-torch. A folder has config.json, model.safetensors, ids.json (a prompt) and stages.safetensors,
which has every stage by its TransformerLens name, and `logits`. Stages are computed in float64 and stored as float32.
Weights are scaled so that attention is neither uniform nor one-hot: scores have a standard deviation of about 1.7.
"""
import json
import math
import os
import sys

import torch

TOOLS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(TOOLS, "torch"), os.path.join(TOOLS, "stories")]
import forward  # noqa: E402
import model as stories  # noqa: E402
import safetensors  # noqa: E402

FOLDER = os.path.join(os.path.dirname(TOOLS), "tests", "goldens")
PROMPT = 16  # ids


def llama_config(**changes):
    return {"model_type": "llama", "vocab_size": 96, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 48, "rms_norm_eps": 1e-5,
            "rope_theta": 10000.0, "hidden_act": "silu", "tie_word_embeddings": False, **changes}


SMALL = {"hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 2, "num_key_value_heads": 1}

# name: (configuration, type of the stored weights).  An epsilon of 1e-3 makes its omission visible.
MODELS = {
    "gpt2": ({"model_type": "gpt2", "vocab_size": 96, "n_positions": 48, "n_embd": 64, "n_head": 4, "n_layer": 2,
              "n_inner": 128, "layer_norm_epsilon": 1e-3, "activation_function": "gelu_new",
              "tie_word_embeddings": True}, torch.float32),
    "llama": (llama_config(num_hidden_layers=3), torch.bfloat16),
    "llama-tied": (llama_config(**SMALL, tie_word_embeddings=True), torch.float16),
    # No size is a multiple of 32, 16 or 8.
    "llama-awkward": (llama_config(vocab_size=67, hidden_size=36, intermediate_size=50, num_attention_heads=3,
                                   num_key_value_heads=1, rms_norm_eps=1e-3, tie_word_embeddings=True), torch.float32),
    # The original context is short, so that waves of each kind occur: kept, blended and stretched.
    "llama3": (llama_config(**SMALL, rope_theta=500000.0, rope_scaling={
        "rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64}), torch.float32),
    # All heads together are wider than the model.
    "mistral": (llama_config(**SMALL, model_type="mistral", sliding_window=5, head_dim=24), torch.float32),
    "qwen2": (llama_config(model_type="qwen2", rms_norm_eps=1e-6, rope_theta=1000000.0), torch.bfloat16),
}


def matrix_scale(name, inputs):
    """Standard deviation: queries and keys large enough to choose, sums into the residual stream small."""
    if "embed" in name or "wte" in name:
        return 1.0
    if "wpe" in name:
        return 0.5
    gain = 0.7 if name.endswith(("o_proj.weight", "down_proj.weight", "c_proj.weight")) else 1.3
    return gain / math.sqrt(inputs)


def random_weights(shapes, dtype, generator):
    weights = {}
    for name, shape in shapes.items():
        x = torch.randn(shape, generator=generator)
        if len(shape) == 2:
            inputs = shape[0] if "attn.c_" in name or "mlp.c_" in name else shape[1]
            x = x * matrix_scale(name, inputs)
        elif name.endswith("bias"):
            x = 0.3 * x
        else:
            x = 1 + 0.2 * x
        weights[name] = x.to(dtype)
    return weights


def llama_shapes(c):
    D, F = c["hidden_size"], c["intermediate_size"]
    Dh = c.get("head_dim", D // c["num_attention_heads"])
    rows = {"q": c["num_attention_heads"] * Dh, "k": c["num_key_value_heads"] * Dh, "v": c["num_key_value_heads"] * Dh}
    shapes = {"model.embed_tokens.weight": (c["vocab_size"], D)}
    for layer in range(c["num_hidden_layers"]):
        at = f"model.layers.{layer}."
        shapes[at + "input_layernorm.weight"] = (D,)
        for p, n in rows.items():
            shapes[f"{at}self_attn.{p}_proj.weight"] = (n, D)
            if c["model_type"] == "qwen2":
                shapes[f"{at}self_attn.{p}_proj.bias"] = (n,)
        shapes[at + "self_attn.o_proj.weight"] = (D, rows["q"])
        shapes[at + "post_attention_layernorm.weight"] = (D,)
        shapes.update({f"{at}mlp.gate_proj.weight": (F, D), f"{at}mlp.up_proj.weight": (F, D)})
        shapes[at + "mlp.down_proj.weight"] = (D, F)
    shapes["model.norm.weight"] = (D,)
    if not c["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (c["vocab_size"], D)
    return shapes


def gpt2_shapes(c):
    D, F = c["n_embd"], c["n_inner"]
    shapes = {"transformer.wte.weight": (c["vocab_size"], D), "transformer.wpe.weight": (c["n_positions"], D)}
    for layer in range(c["n_layer"]):
        at = f"transformer.h.{layer}."
        for name, inputs, outputs in (
                ("attn.c_attn", D, 3 * D), ("attn.c_proj", D, D), ("mlp.c_fc", D, F), ("mlp.c_proj", F, D)):
            shapes.update({f"{at}{name}.weight": (inputs, outputs), f"{at}{name}.bias": (outputs,)})
        for name in ("ln_1", "ln_2"):
            shapes.update({f"{at}{name}.weight": (D,), f"{at}{name}.bias": (D,)})
    return {**shapes, "transformer.ln_f.weight": (D,), "transformer.ln_f.bias": (D,)}


def check_against_stories_model(config, weights, ids, logits):
    """Two ways of writing a tied Llama, this one and the one that trains the default model, agree."""
    fields = stories.Config.__dataclass_fields__
    twin = stories.Llama(stories.Config(**{k: v for k, v in config.items() if k in fields})).double()
    twin.load_state_dict({name.removeprefix("model."): w for name, w in weights.items()})
    difference = (twin(ids[None])[0] - logits).abs().max().item()
    assert difference < 1e-5, f"the two Llamas differ by {difference}"  # the twin's cos and sin are single precision


def main():
    for number, (name, (config, dtype)) in enumerate(MODELS.items()):
        generator = torch.Generator().manual_seed(number)
        shapes = (gpt2_shapes if name == "gpt2" else llama_shapes)(config)
        weights = random_weights(shapes, dtype, generator)
        ids = torch.randint(config["vocab_size"], (PROMPT,), generator=generator)
        ids[PROMPT // 2] = ids[1]  # a repetition, so that position matters

        stages = {}
        tap = lambda hook, x: stages.setdefault(hook, x)
        exact = {key: w.double() for key, w in weights.items()}
        with torch.no_grad():
            stages["logits"] = logits = forward.forward(exact, config, ids, tap)
            if name == "llama-tied":
                check_against_stories_model(config, exact, ids, logits)

        folder = os.path.join(FOLDER, name)
        os.makedirs(folder, exist_ok=True)
        safetensors.write(os.path.join(folder, "model.safetensors"), weights)
        safetensors.write(os.path.join(folder, "stages.safetensors"), {hook: x.float() for hook, x in stages.items()})
        for file, value in (("config.json", config), ("ids.json", ids.tolist())):
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                json.dump(value, out, indent=2 if file == "config.json" else None)
                out.write("\n")
        entropy = stages["blocks.0.attn.hook_pattern"][:, -1]
        entropy = -(entropy * entropy.clamp_min(1e-30).log()).sum(-1)
        print(f"{name}: {sum(w.numel() for w in weights.values())} parameters, last row's entropy of layer 0 "
              f"{', '.join(f'{x:.2f}' for x in entropy)} nats of {math.log(PROMPT):.2f}")


if __name__ == "__main__":
    main()
