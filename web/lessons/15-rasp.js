/** Programs in RASP, compiled to transformers that run in the page. */
import { showLengths } from './15-rasp-learned.js';
import { showWorkbench } from './15-rasp-workbench.js';
import { lesson } from './kit/page.js';

lesson(async () => {
  await showWorkbench();
  await showLengths();
});
