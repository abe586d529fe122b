/** Programs in RASP, compiled to transformers that run in the page. */
import { showLengths } from './15-rasp-learned.js';
import { showWorkbench } from './15-rasp-workbench.js';
import { COMPILED } from './drawings/15-rasp.js';
import { Drawing } from './kit/drawing.js';
import { element, lesson } from './kit/page.js';

lesson(async () => {
  const drawing = new Drawing(element('drawing'), COMPILED);
  await showWorkbench(drawing);
  await showLengths();
});
