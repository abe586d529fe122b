import { load, type AttentionMap, type Model } from 'heed';
import type { HeedHeadGrid } from 'heed/react';
import 'heed/react';
import { StrictMode, useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const PROMPT = 'Once upon a time';

/** The model at a URL, disposed of when the component unmounts. */
function useModel(address: string): Model | null {
  const [model, setModel] = useState<Model | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let loaded: Model | null = null;
    load(address, { signal: controller.signal }).then(
      (model) => setModel((loaded = model)),
      (error) => controller.signal.aborted || console.error(error),
    );
    return () => {
      controller.abort();
      loaded?.dispose();
    };
  }, [address]);
  return model;
}

function App() {
  const model = useModel('stories.gguf');
  const grid = useRef<HeedHeadGrid>(null);
  const [tokens, setTokens] = useState<string[]>([]);
  const [at, setAt] = useState({ layer: 2, head: 2 });
  const [map, setMap] = useState<AttentionMap>();

  useEffect(() => {
    if (!model || !grid.current) return;
    const { layers, heads } = model.info;
    grid.current.shape = { layers, heads };
    (async () => {
      for await (const _ of model.generate(PROMPT, { maxTokens: 16, temperature: 0 }));
      const rows = await model.attentionRows();
      grid.current?.extend(rows);
      setTokens(await model.tokens(model.ids));
    })().catch(console.error);
  }, [model]);

  useEffect(() => {
    if (tokens.length) model?.attention(at).then(setMap, console.error);
  }, [model, tokens, at]);

  return (
    <main>
      <heed-token-strip tokens={tokens} promptLength={4} />
      <heed-head-grid ref={grid} onheed-head={(event) => setAt(event.detail)} />
      {map && <heed-attention-map data={map} scale="log" />}
    </main>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<StrictMode><App /></StrictMode>);
