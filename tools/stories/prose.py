"""Finds faults in the stories of a small model. prepare.py filters by them; faults.py counts them."""
import collections
import re

WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?")
# The same noun twice within one clause: "the cat and the cat", "the bird showed the bird how".
NOUN_AGAIN = re.compile(r"\b(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir) (\w+)(?: \w+){0,5} the \1\b(?!')")
# The same name twice within six words of one clause: "Daisy and Daisy", "Lily gave Lily".
NAME_AGAIN = re.compile(r"\b([A-Z]\w+)(?: \w+){0,4} \1\b(?!')")
TWICE = re.compile(r"\b(\w+)(?: and)? \1\b", re.I)
OFTEN_TWICE = {"very", "so", "big", "bye", "no", "yes", "on", "really", "ha", "more", "up", "round", "had", "that", "far", "over"}
# Words that are capitalized within a sentence but are not names. words: allow
NO_NAMES = set("""I Mom Mommy Mum Mummy Mama Mamma Dad Daddy Papa Pa Ma Grandma Grandpa Granny Grandmother Grandfather Nana Mr Mrs Ms
    Miss Mister Dr Aunt Auntie Uncle God Sir Madam Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March
    April May June July August September October November December Christmas Halloween Easter Birthday English Earth Sun Moon
    The A An It He She They We You My Your His Her Their Our This That These Those And But So Then There Once One Do Did Does Will
    What When Where Who Why How If In On At To From For With Yes No Not Let Be Being Always Today Thank Thanks Please Hello Hi Oh
    True End Happy Sharing Love King Queen Princess Prince Fairy Baby Castle Red Blue Park Forest Doctor Teacher Santa""".split())


def words(text):
    return [w.lower() for w in WORD.findall(text)]


def repeated_fourgrams(text):
    """(number of 4-grams of words that occurred earlier in the text, number of all 4-grams)"""
    w = words(text)
    grams = [tuple(w[i:i + 4]) for i in range(len(w) - 3)]
    return len(grams) - len(set(grams)), len(grams)


def self_meetings(text):
    """Places where a subject meets itself: the same noun or the same name twice in one clause."""
    nouns = [m.group(0) for m in NOUN_AGAIN.finditer(text)]
    names = [m.group(0) for m in NAME_AGAIN.finditer(text) if m.group(1) not in NO_NAMES]
    return nouns + names


def doubled_words(text):
    return [m.group(0) for m in TWICE.finditer(text) if m.group(1).lower() not in OFTEN_TWICE]


def names_of(text, known):
    """Counts the names of a story: known names that are capitalized within a sentence and never in lower case."""
    inside = set(re.findall(r"(?<=[a-z,] )[A-Z][a-z]+\b", text))
    small = set(re.findall(r"\b[a-z]+\b", text))
    names = {n for n in inside if n in known and n not in NO_NAMES and n.lower() not in small}
    return collections.Counter(w for w in re.findall(r"\b[A-Z][a-z]+\b", text) if w in names)
