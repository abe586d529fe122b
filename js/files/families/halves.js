/** Matrices whose two halves have names of their own in files. */

/** @typedef {import('../weights.js').PlacedTensor} PlacedTensor */

/**
 * The tensors of a matrix with two names: the upper half of its rows, and the lower half.
 * @param {PlacedTensor} placed  its name, or two names with a space
 * @returns {PlacedTensor[]}
 */
export function halvesOf({ start, entry, ...rest }) {
  const names = entry.name.split(' ');
  const [rows, ...columns] = entry.shape;
  if (names.length === 1 || rows % 2 !== 0) return [{ start, entry, ...rest }];
  const bytes = entry.bytes / 2;
  return names.map((name, i) =>
    ({ start: start + i * bytes, entry: { ...entry, name, shape: [rows / 2, ...columns], bytes }, ...rest }));
}
