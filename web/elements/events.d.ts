/** The events of the elements and their details. */

/** Events bubble, so a listener can be on any element, on the document or on the window. */
export interface HeedEvents {
  /** A cell of a map is hovered, clicked or reached with the arrow keys; null when no cell is. The weight is null
   *  while its row is not loaded. */
  'heed-map-cell': CustomEvent<{ cell: { query: number; key: number; weight: number | null } | null }>;
  /** A control of a map changed an option. */
  'heed-map-options': CustomEvent<{ scale: 'linear' | 'log' | 'row-max'; leaveFirstOut: boolean }>;
  /** A control of a grid changed an option. */
  'heed-grid-options': CustomEvent<{ leaveFirstOut: boolean }>;
  /** An input was refused. Call preventDefault() to keep the error out of the console. */
  'heed-error': CustomEvent<{ input: string; error: unknown }>;
  /** A head of a grid was selected. */
  'heed-head': CustomEvent<{ layer: number; head: number }>;
  /** A token is hovered or focused; null when no token is. */
  'heed-token-hover': CustomEvent<{ position: number | null }>;
  /** A token was clicked, or selected with Enter. */
  'heed-token-select': CustomEvent<{ position: number | null }>;
  /** A candidate for the next token was clicked. */
  'heed-candidate': CustomEvent<{ id: number; text: string }>;
  'heed-training-start': CustomEvent<{}>;
  'heed-training-pause': CustomEvent<{}>;
  'heed-training-resume': CustomEvent<{}>;
  'heed-training-cancel': CustomEvent<{}>;
  /** Another step is shown. */
  'heed-training-step': CustomEvent<{ step: number }>;
}

declare global {
  interface GlobalEventHandlersEventMap extends HeedEvents {}
}
