// The page's Content-Security-Policy: nothing but its own files, WebAssembly, and models from where the user says.

/** For `<meta http-equiv>`, and for the header of the server. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' https: http: blob: data:", // a model's address is the user's choice
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A header may also say what a <meta> may not: no other page frames this one. */
export const HEADER_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;
