/** What TypeScript knows of the elements in a page: their tag names, their events, and their properties in JSX. */
import type { HeedElement } from './heed-element.js';
import type { HeedAttentionMap, HeedHeadGrid, HeedNextToken, HeedTokenStrip, HeedTraining } from './index.js';

export interface HeedElements {
  'heed-attention-map': HeedAttentionMap;
  'heed-head-grid': HeedHeadGrid;
  'heed-next-token': HeedNextToken;
  'heed-token-strip': HeedTokenStrip;
  'heed-training': HeedTraining;
}

/** Events bubble, so a listener can be on any element, on the document or on the window. */
export interface HeedEvents {
  'heed-map-cell': CustomEvent<{ cell: { query: number; key: number; weight: number | null } | null }>;
  'heed-map-options': CustomEvent<{ scale: 'linear' | 'log' | 'row-max'; leaveFirstOut: boolean }>;
  'heed-grid-options': CustomEvent<{ leaveFirstOut: boolean }>;
  'heed-error': CustomEvent<{ input: string; error: unknown }>;
  'heed-head': CustomEvent<{ layer: number; head: number }>;
  'heed-token-hover': CustomEvent<{ position: number | null }>;
  'heed-token-select': CustomEvent<{ position: number | null }>;
  'heed-candidate': CustomEvent<{ id: number; text: string }>;
  'heed-training-start': CustomEvent<{}>;
  'heed-training-pause': CustomEvent<{}>;
  'heed-training-resume': CustomEvent<{}>;
  'heed-training-cancel': CustomEvent<{}>;
  'heed-training-step': CustomEvent<{ step: number }>;
}

/** Own properties of an element and handlers of events, as React and Preact set them: <heed-attention-map data={map} />. */
export type HeedProperties<E extends HeedElement> =
  & { [Name in Exclude<keyof E, keyof HeedElement>]?: E[Name] }
  & { [Type in keyof HeedEvents as `on${Type}`]?: (event: HeedEvents[Type]) => void };

declare global {
  interface HTMLElementTagNameMap extends HeedElements {}
  interface GlobalEventHandlersEventMap extends HeedEvents {}
}
