// Sets the theme before the first paint. TypeDoc writes this into every page, where the Content-Security-Policy forbids it.
try {
  document.documentElement.dataset.theme = localStorage.getItem('tsd-theme') ?? 'os';
} catch {
  document.documentElement.dataset.theme = 'os'; // a page without storage
}
