// The application of a runtime without a page: model, threads and worker as JSON; prints the result as JSON.
import { run } from './run.js';

const [model, options] = process.argv.slice(2);
const { ids, map, threads } = await run(model, JSON.parse(options));
console.log(JSON.stringify({ ids, threads, map: { ...map, data: Array.from(map.data) } }));
