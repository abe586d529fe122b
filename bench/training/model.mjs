/** The model that every program trains: the model of the recipe `shakespeare`, on random characters. */
export const MODEL = { layers: 4, heads: 4, width: 128, hidden: 512, context: 64, vocabulary: 65 };
export const BATCH = 12;

/** Prints { wall, processor, loss }: medians of a step's time in ms, after three steps to warm up.
 *  @param {number} steps @param {() => number | Promise<number>} step gives the loss */
export async function measure(steps, step) {
  const wall = [];
  const processor = [];
  let loss = 0;
  for (let i = 0; i < steps + 3; i++) {
    const began = performance.now();
    const used = process.cpuUsage();
    loss = await step();
    const { user, system } = process.cpuUsage(used);
    wall.push(performance.now() - began);
    processor.push((user + system) / 1000);
  }
  const median = (/** @type {number[]} */ times) => times.slice(3).sort((a, b) => a - b)[Math.floor(steps / 2)];
  console.log(JSON.stringify({ wall: median(wall), processor: median(processor), loss }));
}
