import { fileURLToPath } from 'node:url';

export default {
  output: 'export',
  distDir: process.env.OUT,
  turbopack: { root: fileURLToPath(new URL('..', import.meta.url)) }, // the packages lie one folder up
};
