// Sets the theme before the first paint. TypeDoc writes this into every page as an inline script, which heed's
// Content-Security-Policy forbids.
try {
  document.documentElement.dataset.theme = localStorage.getItem('tsd-theme') ?? 'os';
} catch {
  document.documentElement.dataset.theme = 'os'; // storage is blocked
}
