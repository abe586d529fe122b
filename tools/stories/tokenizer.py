"""Byte-level BPE for the stories model: learns the vocabulary and encodes the corpus.

The format is that of GPT-2 (Radford et al. 2019). GPT-2's pattern splits the text into pieces, each byte of a piece
becomes a printable character, and merges join the most frequent neighbors. Hugging Face's tokenizers read
`tokenizer.json`; the GGUF export writes the same vocabulary as metadata.
"""
import collections
import json

import regex

PATTERN = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")
END_OF_TEXT = "<|endoftext|>"


def byte_characters():
    """GPT-2's map from bytes to printable characters, in the order of its vocabulary."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    table = {b: chr(b) for b in printable}
    for b in range(256):
        table.setdefault(b, chr(256 + len(table) - len(printable)))
    return table


BYTE_TO_CHARACTER = byte_characters()


def train(stories, vocabulary_size):
    """Returns (vocabulary: token -> id, merges: [(left, right)]). Id 0 is the end-of-text token."""
    words = collections.Counter()
    for story in stories:
        words.update(PATTERN.findall(story))
    pieces = [([BYTE_TO_CHARACTER[b] for b in word.encode()], count) for word, count in words.items()]
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for index, (symbols, count) in enumerate(pieces):
        for pair in zip(symbols, symbols[1:]):
            pairs[pair] += count
            where[pair].add(index)

    tokens = [END_OF_TEXT, *sorted(BYTE_TO_CHARACTER.values())]
    merges = []
    while len(tokens) < vocabulary_size:
        best = max(pairs, key=lambda pair: (pairs[pair], pair))  # text breaks ties, so that the merges are reproducible
        merges.append(best)
        tokens.append("".join(best))
        for index in where.pop(best):
            symbols, count = pieces[index]
            for pair in zip(symbols, symbols[1:]):
                pairs[pair] -= count
            merged = merge(symbols, best)
            pieces[index] = (merged, count)
            for pair in zip(merged, merged[1:]):
                pairs[pair] += count
                where[pair].add(index)
        pairs += collections.Counter()  # drops pairs that no longer occur
    return {token: i for i, token in enumerate(tokens)}, merges


def merge(symbols, pair):
    """The symbols with every occurrence of the pair joined, from left to right."""
    out, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and (symbols[i], symbols[i + 1]) == pair:
            out.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


class Encoder:
    def __init__(self, vocabulary, merges):
        self.vocabulary = vocabulary
        self.rank = {tuple(pair): i for i, pair in enumerate(merges)}
        self.cache = {}

    def piece(self, text):
        if text not in self.cache:
            symbols = [BYTE_TO_CHARACTER[b] for b in text.encode()]
            while len(symbols) > 1:
                pair = min(zip(symbols, symbols[1:]), key=lambda p: self.rank.get(p, len(self.rank)))
                if pair not in self.rank:
                    break
                symbols = merge(symbols, pair)
            self.cache[text] = [self.vocabulary[s] for s in symbols]
        return self.cache[text]

    def __call__(self, text):
        ids = []
        for piece in PATTERN.findall(text):
            ids.extend(self.piece(piece))
        return ids


def to_json(vocabulary, merges):
    """A Hugging Face tokenizer.json. Every text starts with the end-of-text token, as in training."""
    end = vocabulary[END_OF_TEXT]
    special = {"id": end, "content": END_OF_TEXT, "single_word": False, "lstrip": False, "rstrip": False,
               "normalized": False, "special": True}
    template = [{"SpecialToken": {"id": END_OF_TEXT, "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}]
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    return {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [special], "normalizer": None,
        "pre_tokenizer": byte_level,
        "post_processor": {"type": "TemplateProcessing", "single": template,
                           "pair": template + [{"Sequence": {"id": "B", "type_id": 1}}],
                           "special_tokens": {END_OF_TEXT: {"id": END_OF_TEXT, "ids": [end], "tokens": [END_OF_TEXT]}}},
        "decoder": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                  "vocab": vocabulary, "merges": [" ".join(pair) for pair in merges]},
    }


def load(path):
    with open(path, encoding="utf-8") as file:
        model = json.load(file)["model"]
    return Encoder(model["vocab"], [tuple(m.split(" ")) for m in model["merges"]])
