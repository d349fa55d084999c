// Runs before the first paint, so that the wrong theme never flashes by. A file of its own: no inline code runs here.
try {
  const chosen = localStorage.getItem('theme')
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.dataset.theme = chosen === 'dark' || chosen === 'light' ? chosen : dark ? 'dark' : 'light'
} catch {
  document.documentElement.dataset.theme = 'light'
}
