#!/usr/bin/env python3
"""Tokens of llama.cpp: python3 tools/goldens/llama-tokens.py FOLDER_OF_LIBLLAMA MODEL TEXTS

TEXTS is a JSON file with a list of texts. The output is a JSON list with one object for each text. `ids` has start and
end tokens, and control tokens of the text. `plain` has neither, and `text` is the decoded `plain`. Only the vocabulary of MODEL is read. tools/goldens/llama-logits.py says which library, and passes structures in the same way.
"""
import ctypes
import glob
import json
import os
import sys

FOLDER, MODEL, TEXTS = sys.argv[1:]
VOCAB_ONLY = 72  # byte of llama_model_params; false, check_tensors after it too, then use_extra_bufts is true


class Parameters(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint8 * 1024)]


def library(name):
    [path] = glob.glob(os.path.join(FOLDER, f"lib{name}.v*.so")) or glob.glob(os.path.join(FOLDER, f"lib{name}.so*"))
    return ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)


library("ggml-base")
ggml, llama = library("ggml"), library("llama")
silent = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda level, text, data: None)
if not os.environ.get("VERBOSE"):
    llama.llama_log_set(silent, None)
ggml.ggml_backend_load_all_from_path(FOLDER.encode())
llama.llama_backend_init()
ids_type = ctypes.POINTER(ctypes.c_int32)
for name, result, *arguments in [
    ("model_default_params", Parameters),
    ("model_load_from_file", ctypes.c_void_p, ctypes.c_char_p, Parameters),
    ("model_get_vocab", ctypes.c_void_p, ctypes.c_void_p),
    ("tokenize", ctypes.c_int32, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ids_type, ctypes.c_int32,
     ctypes.c_bool, ctypes.c_bool),
    ("detokenize", ctypes.c_int32, ctypes.c_void_p, ids_type, ctypes.c_int32, ctypes.c_char_p, ctypes.c_int32,
     ctypes.c_bool, ctypes.c_bool),
]:
    function = getattr(llama, f"llama_{name}")
    function.restype, function.argtypes = result, arguments

parameters = llama.llama_model_default_params()
layout = bytes(parameters.bytes[VOCAB_ONLY:VOCAB_ONLY + 3])
assert layout == b"\0\0\1", f"this version has another layout of parameters: {layout}"
parameters.bytes[VOCAB_ONLY] = 1
model = llama.llama_model_load_from_file(MODEL.encode(), parameters)
assert model, "llama.cpp does not read this file"
vocabulary = llama.llama_model_get_vocab(model)


def tokenize(text, special):
    data = text.encode()
    room = 4 * len(data) + 16
    ids = (ctypes.c_int32 * room)()
    count = llama.llama_tokenize(vocabulary, data, len(data), ids, room, special, special)
    assert count >= 0, "more ids than expected"
    return list(ids[:count])


def detokenize(ids):
    room = 64 * len(ids) + 64
    buffer = ctypes.create_string_buffer(room)
    length = llama.llama_detokenize(vocabulary, (ctypes.c_int32 * len(ids))(*ids), len(ids), buffer, room, False, False)
    assert length >= 0, "more text than expected"
    return buffer.raw[:length].decode("utf-8", "replace")


rows = []
for text in json.load(open(TEXTS)):
    plain = tokenize(text, False)
    rows.append({"ids": tokenize(text, True), "plain": plain, "text": detokenize(plain)})
print(json.dumps(rows), flush=True)
os._exit(0)  # a normal exit takes long
