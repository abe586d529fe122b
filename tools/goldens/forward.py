"""Llama, Qwen2, Mistral and GPT-2 written plainly in PyTorch: what the engine's every stage must equal.

`forward(weights, config, ids, tap)` takes Hugging Face's tensor names and configuration keys and returns logits [T][V].
`tap(name, x)` sees every stage by TransformerLens's name and in its shape: [T][D], [T][F]; q and z [T][H][Dh], k and v
[T][Hk][Dh]; scores and pattern [H][T][T].
`hook_normalized` is the norm's whole output: with its weight and, for LayerNorm, its bias.
"""
import math

import torch
from torch.nn import functional as F


def forward(weights, config, ids, tap):
    return (gpt2 if config["model_type"] == "gpt2" else llama)(weights, config, ids, tap)


def attend(q, k, v, window, tap):
    """q [T][H][Dh], k and v [T][Hk][Dh] -> z [T][H][Dh]; each query head h reads key head h / (H / Hk)."""
    T, heads, _ = q.shape
    q, k, v = (x.transpose(0, 1) for x in (q, k, v))
    k, v = (x.repeat_interleave(heads // len(x), 0) for x in (k, v))
    ago = torch.arange(T)[:, None] - torch.arange(T)
    visible = (ago >= 0) & (ago < (window or T))
    scores = (q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])).masked_fill(~visible, -math.inf)
    pattern = torch.softmax(scores, -1)
    tap("attn.hook_attn_scores", scores)
    tap("attn.hook_pattern", pattern)
    return (pattern @ v).transpose(0, 1)


def rms_norm(x, weight, eps):
    return x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def inverse_frequencies(config, width):
    """theta^(-2i / Dh); with Llama 3's scaling, waves longer than the original context are stretched by `factor`."""
    frequency = config["rope_theta"] ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    scaling = config.get("rope_scaling")
    if scaling is None:
        return frequency
    assert scaling["rope_type"] == "llama3"
    factor, low, high = scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]
    out = []
    for f in frequency.tolist():
        wavelength = 2 * math.pi / f
        if wavelength < scaling["original_max_position_embeddings"] / high:
            out.append(f)
        elif wavelength > scaling["original_max_position_embeddings"] / low:
            out.append(f / factor)
        else:
            smooth = (scaling["original_max_position_embeddings"] / wavelength - low) / (high - low)
            out.append((1 - smooth) * f / factor + smooth * f)
    return torch.tensor(out, dtype=torch.float64)


def rotate(x, frequency):
    """RoPE (Su et al. 2021) of x [T][heads][Dh], Hugging Face's order: element i turns with element i + Dh / 2."""
    angle = torch.outer(torch.arange(len(x), dtype=torch.float64), frequency)[:, None, :]
    a, b = x.chunk(2, -1)
    return torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), -1)


def llama(w, c, ids, tap):
    """Touvron et al. 2023; Qwen2 adds biases to q, k and v; Mistral lets a query see `sliding_window` keys."""
    width = c.get("head_dim", c["hidden_size"] // c["num_attention_heads"])
    frequency = inverse_frequencies(c, width)
    linear = lambda x, name: F.linear(x, w[name + ".weight"], w.get(name + ".bias"))
    x = tap("hook_embed", w["model.embed_tokens.weight"][ids])
    for layer in range(c["num_hidden_layers"]):
        at, here = f"model.layers.{layer}.", lambda name, value: tap(f"blocks.{layer}.{name}", value)
        x = here("hook_resid_pre", x)
        n = here("ln1.hook_normalized", rms_norm(x, w[at + "input_layernorm.weight"], c["rms_norm_eps"]))
        q, k, v = (linear(n, f"{at}self_attn.{p}_proj").unflatten(1, (-1, width)) for p in "qkv")
        q, k, v = here("attn.hook_q", q), here("attn.hook_k", k), here("attn.hook_v", v)
        q, k = here("attn.hook_rot_q", rotate(q, frequency)), here("attn.hook_rot_k", rotate(k, frequency))
        z = here("attn.hook_z", attend(q, k, v, c.get("sliding_window"), here))
        x = here("hook_resid_mid", x + here("hook_attn_out", linear(z.flatten(1), at + "self_attn.o_proj")))
        n = here("ln2.hook_normalized", rms_norm(x, w[at + "post_attention_layernorm.weight"], c["rms_norm_eps"]))
        gate = here("mlp.hook_pre", linear(n, at + "mlp.gate_proj"))
        up = here("mlp.hook_pre_linear", linear(n, at + "mlp.up_proj"))
        post = here("mlp.hook_post", F.silu(gate) * up)
        x = here("hook_resid_post", x + here("hook_mlp_out", linear(post, at + "mlp.down_proj")))
    n = tap("ln_final.hook_normalized", rms_norm(x, w["model.norm.weight"], c["rms_norm_eps"]))
    return F.linear(n, w["model.embed_tokens.weight" if c["tie_word_embeddings"] else "lm_head.weight"])


def gpt2(w, c, ids, tap):
    """Radford et al. 2019.  Conv1D stores its weights [inputs][outputs]."""
    conv = lambda x, name: x @ w[name + ".weight"] + w[name + ".bias"]
    eps = c["layer_norm_epsilon"]
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], w[name + ".weight"], w[name + ".bias"], eps)
    gelu = lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    x = tap("hook_embed", w["transformer.wte.weight"][ids])
    x = x + tap("hook_pos_embed", w["transformer.wpe.weight"][: len(ids)])
    for layer in range(c["n_layer"]):
        at, here = f"transformer.h.{layer}.", lambda name, value: tap(f"blocks.{layer}.{name}", value)
        x = here("hook_resid_pre", x)
        n = here("ln1.hook_normalized", norm(x, at + "ln_1"))
        q, k, v = conv(n, at + "attn.c_attn").unflatten(1, (3, c["n_head"], -1)).unbind(1)
        q, k, v = here("attn.hook_q", q), here("attn.hook_k", k), here("attn.hook_v", v)
        z = here("attn.hook_z", attend(q, k, v, None, here))
        x = here("hook_resid_mid", x + here("hook_attn_out", conv(z.flatten(1), at + "attn.c_proj")))
        n = here("ln2.hook_normalized", norm(x, at + "ln_2"))
        post = here("mlp.hook_post", gelu(here("mlp.hook_pre", conv(n, at + "mlp.c_fc"))))
        x = here("hook_resid_post", x + here("hook_mlp_out", conv(post, at + "mlp.c_proj")))
    return tap("ln_final.hook_normalized", norm(x, "transformer.ln_f")) @ w["transformer.wte.weight"].T
