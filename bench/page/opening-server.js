/** Serves the folder of its argument for opening.js: sends the address, and ends with the process that started it. */
import { startServer } from '../../js/cli/server.js';

const { url } = await startServer({ root: process.argv[2] });
process.send?.(url);
process.on('disconnect', () => process.exit());
