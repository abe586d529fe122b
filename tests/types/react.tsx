import type { AttentionMap } from 'heed';
import 'heed/react';

export const view = (map: AttentionMap, choose: (head: { layer: number; head: number }) => void) => (
  <main>
    <heed-attention-map className="large" data={map} onheed-map-cell={({ detail: { cell } }) => console.log(cell?.query)} />
    <heed-head-grid shape={{ layers: 6, heads: 6 }} onheed-head={(event) => choose(event.detail)} />
  </main>
);

// @ts-expect-error a map is an object
export const wrong = <heed-attention-map data="map" />;
