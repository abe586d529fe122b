/** The events of the elements and their details. */

/** Events bubble, so a listener can be on any element, on the document or on the window. */
export interface HeedEvents {
  /** A cell of a map is hovered, clicked or reached with the arrow keys; null when no cell is. The weight is null
   *  while its row is not loaded. */
  'heed-map-cell': CustomEvent<{ cell: { query: number; key: number; weight: number | null } | null }>;
  /** A cell of a logit lens is hovered, clicked or reached with the arrow keys; null when no cell is. */
  'heed-lens-cell': CustomEvent<{ cell: { position: number; layer: number } | null }>;
  /** A cell of a residual stream is hovered, clicked or reached with the arrow keys; null when no cell is. */
  'heed-residual-cell': CustomEvent<{ cell: { position: number; layer: number } | null }>;
  /** A cell of a heat map is hovered, clicked or reached with the arrow keys; null when no cell is. The place
   *  has the label of each axis; on the axis of tokens it has the index. */
  'heed-heat-map-cell': CustomEvent<{ cell: { place: Record<string, string | number>; value: number } | null }>;
  /** A neuron of a list was selected. */
  'heed-neuron': CustomEvent<{ layer: number; neuron: number }>;
  /** The button that cuts or restores the selected neuron was pressed. */
  'heed-neuron-cut': CustomEvent<{ layer: number; neuron: number }>;
  /** A token of the lines is hovered, clicked or reached with the arrow keys; null when no token is. */
  'heed-line-token': CustomEvent<{ token: { side: 'query' | 'key'; at: number } | null }>;
  /** A control of a map changed an option. */
  'heed-map-options': CustomEvent<{ scale: 'linear' | 'log' | 'row-max'; leaveFirstOut: boolean }>;
  /** A control of a grid changed an option. */
  'heed-grid-options': CustomEvent<{ leaveFirstOut: boolean }>;
  /** An input was refused. Call preventDefault() to keep the error out of the console. */
  'heed-error': CustomEvent<{ input: string; error: unknown }>;
  /** A head of a grid was selected. */
  'heed-head': CustomEvent<{ layer: number; head: number }>;
  /** X or Delete was pressed on a head of an editable grid; head is null with Shift, for the whole layer. */
  'heed-head-cut': CustomEvent<{ layer: number; head: number | null }>;
  /** The context menu of an editable grid; head is null for the number of a layer. Call preventDefault() to replace the
   *  browser's menu. x and y are in the window, in CSS pixels. */
  'heed-head-menu': CustomEvent<{ layer: number; head: number | null; x: number; y: number }>;
  /** Cells of an editable map were dragged over, or X or Delete was pressed on them. Ranges end before their second
   *  number. */
  'heed-map-cut': CustomEvent<{ queries: [from: number, to: number]; keys: [from: number, to: number] }>;
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
  /** A box of an anatomy was opened or closed (box is null), or another block or head is shown. */
  'heed-anatomy-box': CustomEvent<{ layer: number; head: number; box: string | null }>;
  /** A number of an anatomy is hovered or selected; null after that. */
  'heed-anatomy-cell': CustomEvent<{ cell: { box: string; row: number; column: number; value: number } | null }>;
  /** Weights of an editable anatomy were changed by hand, or changes were taken back. */
  'heed-anatomy-change': CustomEvent<{ changes: { weight: string; index: number; value: number }[] }>;
  /** The playhead of an anatomy reached a box, or a block that is not open (box is null). */
  'heed-anatomy-stage': CustomEvent<{ layer: number; box: string | null; position: number }>;
  /** Another step is shown. */
  'heed-training-step': CustomEvent<{ step: number }>;
}

declare global {
  interface GlobalEventHandlersEventMap extends HeedEvents {}
}
