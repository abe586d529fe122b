// The server of bench/loading.js, in a separate process: this tree, and a folder of models below /files/.
import { fileURLToPath } from 'node:url';
import { startServer } from '../../js/cli/server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
console.log((await startServer({ root, mounts: { '/files/': process.argv[2] } })).url);
