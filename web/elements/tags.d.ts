/** The tags of the elements, and their properties and events in JSX. */
import './define/anatomy.js';
import './define/attention-lines.js';
import './define/attention-map.js';
import './define/contributions.js';
import './define/head-finder.js';
import './define/head-grid.js';
import './define/heat-map.js';
import './define/logit-lens.js';
import './define/neurons.js';
import './define/next-token.js';
import './define/residual.js';
import './define/token-loss.js';
import './define/token-shares.js';
import './define/token-strip.js';
import './define/training.js';
import type { HeedEvents } from './events.js';
import type { HeedElement } from './heed-element.js';

/** The classes of the elements by tag. */
export type HeedElements = Pick<HTMLElementTagNameMap,
  'heed-anatomy' | 'heed-attention-lines' | 'heed-attention-map' | 'heed-contributions' | 'heed-head-finder' |
  'heed-head-grid' | 'heed-heat-map' | 'heed-logit-lens' | 'heed-neurons' | 'heed-next-token' | 'heed-residual' |
  'heed-token-loss' | 'heed-token-shares' | 'heed-token-strip' | 'heed-training'>;

/** Properties and event handlers of an element in React and Preact: <heed-attention-map data={map} />. */
export type HeedProperties<E extends HeedElement> =
  & { [Name in Exclude<keyof E, keyof HeedElement>]?: E[Name] }
  & { [Type in keyof HeedEvents as `on${Type}`]?: (event: HeedEvents[Type]) => void };
