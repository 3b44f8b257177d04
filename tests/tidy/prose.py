"""prose.py: how pages read: how long their sentences are, and how wide their lines.

A page is every .md file. Code and tables are no prose; a heading is no sentence.
"""
import re
import statistics

from documents import prose

COLUMNS_MAX = 120
SENTENCE_MAX = 40   # Words of any one.
MEDIAN_MAX = 14     # Words of all sentences of the tree.
TENTH_MAX = 25      # Nine of ten have no more.
WORDS_MIN = 3       # Less is a label.


def paragraphs(text):
    """(number of its first line, text) of each paragraph and each item of a list."""
    first, lines = 0, []
    for number, line in prose(text):
        bare = line.strip()
        if line.startswith("    ") and not lines:   # A block of code by its indent.
            continue
        is_item = re.match(r"([-*+]|\d+\.)\s", bare) is not None
        if lines and (is_item or not bare or bare[0] in "|#<"):
            yield first, " ".join(lines)
            lines = []
        if bare and bare[0] not in "|#<":
            first = first if lines else number
            lines.append(re.sub(r"^([-*+]|\d+\.)\s+", "", bare))
    if lines:
        yield first, " ".join(lines)


def sentences(text):
    """(line of its paragraph, count of its words) of each sentence; a piece of code is one word."""
    for number, paragraph in paragraphs(text):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]+`", "Code", paragraph))
        for sentence in re.split(r"(?<=[.!?:])[*_\")]*\s+(?=[*_\"(]*[A-Z])", plain):
            count = len(re.findall(r"\w[\w'’-]*", sentence))
            if count >= WORDS_MIN:
                yield number, count


def wide_lines(repo):
    return [f"{path}:{number}: a line has at most {COLUMNS_MAX} columns, this one {len(line)}"
            for path in repo.ending(".md") for number, line in prose(repo.text(path))
            if len(line) > COLUMNS_MAX and not line.lstrip().startswith("|")]


def long_sentences(repo):
    return [f"{path}:{number}: a sentence has at most {SENTENCE_MAX} words, one here {count}"
            for path in repo.ending(".md") for number, count in sentences(repo.text(path)) if count > SENTENCE_MAX]


def usual_sentences(repo):
    """The sentences of all pages together."""
    counts = sorted(count for path in repo.ending(".md") for _, count in sentences(repo.text(path)))
    if counts and statistics.median(counts) > MEDIAN_MAX:
        return [f"README.md:1: half of all sentences have more than {MEDIAN_MAX} words"]
    if counts and counts[len(counts) * 9 // 10] > TENTH_MAX:
        return [f"README.md:1: one sentence in ten has more than {TENTH_MAX} words"]
    return []
