/**
 * The indices of the largest numbers, the largest first; equal ones by index.
 * @param {Float32Array} data
 * @param {number} count
 * @returns {number[]} at most `count`
 */
export function indicesOfLargest(data, count) {
  /** @type {number[]} */
  const top = [];
  for (let at = 0; at < data.length; at++) {
    if (top.length === count && data[at] <= data[top[count - 1]]) continue;
    let to = top.length;
    while (to > 0 && data[at] > data[top[to - 1]]) to--;
    top.splice(to, 0, at);
    if (top.length > count) top.pop();
  }
  return top;
}
