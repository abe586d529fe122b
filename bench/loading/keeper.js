// Fetches in a Worker, as the library does in a page.
import { fetchToKeep } from './ways.js';

addEventListener('message', async ({ data }) => {
  const bytes = await fetchToKeep(data);
  postMessage(bytes.byteLength);
});
