// The application of a page: the generated text is stored in `result`, and the map is drawn by an element.
import 'heed/elements';
import { run } from './run.js';

async function main() {
  const { ids, map, threads } = await run('stories.gguf', { threads: crossOriginIsolated ? 2 : 1 });
  const element = document.querySelector('heed-attention-map');
  element.data = map;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const canvas = element.shadowRoot.querySelector('canvas');
  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  const colors = new Set(new Uint32Array(pixels.buffer)).size;
  return { ids, threads, colors, map: { ...map, data: Array.from(map.data) } };
}

main().then((result) => Object.assign(globalThis, { result }), (error) => {
  globalThis.result = { error: `${error.code} ${error.message}` };
});
