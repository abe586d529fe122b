/** Tasks of the paper, as programs. */

/**
 * @typedef {object} RaspTask
 * @property {string} title
 * @property {string} goal        what the program computes
 * @property {string} source
 * @property {string} vocabulary  one-letter tokens
 * @property {number} length      largest number of tokens
 * @property {string} example     an input
 */

/** The count of one kind of parentheses up to each position, in the style of the paper's Dyck languages. */
const DYCK_2 = `
# Is each parenthesis closed by its own kind?
up_to_self = select(indices, indices, <=);
opens = tokens in ["(", "["];
n_opens = selector_width(up_to_self and select(opens, True, ==));
n_closes = selector_width(up_to_self and select(opens, False, ==));
depth = n_opens - n_closes;

# A closer belongs to the last opener of its depth.
level = depth if opens else depth + 1;
order = selector_width(up_to_self and select(level, level, ==));
opener = aggregate(select(opens, True, ==) and select(level, level, ==)
  and select(order, order - 1, ==), tokens, "-");
wrong = not opens and not (opener + tokens in ["()", "[]"]);
problem = aggregate(up_to_self, indicator(wrong or depth < 0)) > 0;
"F" if problem else ("T" if depth == 0 else "P");
`;

/** @type {Readonly<Record<string, RaspTask>>} */
export const RASP_TASKS = Object.freeze(Object.fromEntries(Object.entries({
  identity: {
    title: 'Identity', goal: 'Repeat each token.', vocabulary: 'abcd', length: 12, example: 'badcab',
    source: `
aggregate(select(indices, indices, ==), tokens);
`,
  },
  shift: {
    title: 'Shift', goal: 'Move all tokens one place to the right.', vocabulary: 'abcd', length: 12, example: 'badcab',
    source: `
before = select(indices, indices - 1, ==);
aggregate(before, tokens, "-");
`,
  },
  histogram: {
    title: 'Histogram', goal: 'Count the occurrences of each token.', vocabulary: 'abcd', length: 12, example: 'aababc',
    source: `
same_token = select(tokens, tokens, ==);
selector_width(same_token);
`,
  },
  reverse: {
    title: 'Reverse', goal: 'Reverse the order.', vocabulary: 'abcd', length: 12, example: 'abcdd',
    source: `
opposite = length - 1 - indices;
flip = select(indices, opposite, ==);
aggregate(flip, tokens);
`,
  },
  sort: {
    title: 'Sort', goal: 'Sort the tokens by the alphabet.', vocabulary: 'abcd', length: 12, example: 'cadbac',
    source: `
smaller = select(tokens, tokens, <);
earlier = select(tokens, tokens, ==) and select(indices, indices, <);
position = selector_width(smaller or earlier);
aggregate(select(position, indices, ==), tokens);
`,
  },
  frequent: {
    title: 'Most frequent', goal: 'List the different tokens, the most frequent first.', vocabulary: 'abcd', length: 8,
    example: 'abbcbca',
    source: `
def count(selector) { return selector_width(selector); }
same_token = select(tokens, tokens, ==);
earlier = select(indices, indices, <);
is_copy = count(same_token and earlier) > 0;

# Copies go to the end.
rank = -1 if is_copy else count(same_token);
before = select(rank, rank, >) or (select(rank, rank, ==) and earlier);
position = count(before);
aggregate(select(position, indices, ==), "-" if is_copy else tokens);
`,
  },
  dyck1: {
    title: 'Balanced brackets (Dyck-1)', goal: 'T: balanced up to here. P: can still become balanced. F: cannot.',
    vocabulary: '()', length: 12, example: '(())())(',
    source: `
up_to_self = select(indices, indices, <=);
balance = aggregate(up_to_self, 1 if tokens == "(" else -1);
problem = aggregate(up_to_self, indicator(balance < 0)) > 0;
"F" if problem else ("T" if balance == 0 else "P");
`,
  },
  dyck2: {
    title: 'Two kinds of brackets (Dyck-2)', goal: 'T: balanced up to here. P: can still become balanced. F: cannot.',
    vocabulary: '()[]', length: 8, example: '([])[(])', source: DYCK_2,
  },
  induction: {
    title: 'Induction', goal: 'After a token that occurred before: the token that followed its last occurrence.',
    vocabulary: 'abcd', length: 10, example: 'abcdabdca',
    source: `
# Head 1 moves each token one place to the right.
previous = aggregate(select(indices, indices - 1, ==), tokens, "-");

# Of all places after a copy of this token, the last one.
after_copy = select(previous, tokens, ==) and select(indices, indices, <=);
last = selector_width(after_copy);
copies = selector_width(select(previous, previous, ==) and select(indices, indices, <=));
aggregate(after_copy and select(copies, last, ==), tokens, "-");
`,
  },
}).map(([name, task]) => [name, Object.freeze({ ...task, source: task.source.slice(1) })])));
