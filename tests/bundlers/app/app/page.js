'use client';
import { useEffect } from 'react';

export default function Page() {
  useEffect(() => {
    import('../src/main.js');
  }, []);
  return <heed-attention-map></heed-attention-map>;
}
