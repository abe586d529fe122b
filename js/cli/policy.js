// The Content-Security-Policy of the page: its own files, WebAssembly, and models from addresses of the user's choice.

/** The policy for `<meta http-equiv>` and for the server's header. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self' https: http: blob: data:", // the user chooses the address of a model
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** The policy of a header, which can also forbid other pages to embed this one. */
export const HEADER_POLICY = `${PAGE_POLICY}; frame-ancestors 'none'`;

/** The policy of a user's own folder, whose pages may contain scripts; other pages cannot embed them. */
export const FOLDER_POLICY = "frame-ancestors 'none'";
