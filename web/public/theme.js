// Runs before the first paint, so that the wrong theme never flashes. A file of its own, because the content security
// policy blocks inline scripts. The build lowers its syntax but adds no polyfills, so it may only use APIs that even
// unsupported browsers have.
function chosenTheme() {
  try {
    return localStorage.getItem('theme')
  } catch (_) {
    return null
  }
}
const theme = chosenTheme()
const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = isDark ? 'dark' : 'light'

// index.html contains this message in each language, hidden.
function saySorry() {
  const words = document.getElementById('sorry')
  const own = words.querySelector(`[lang=${(navigator.language || 'en').slice(0, 2)}]`) || words.firstElementChild
  own.hidden = words.hidden = false
}

// Tests the newest features that Duet requires. README lists the browsers that have all of them.
const isTooOld = !(
  [].toSorted &&
  window.CSSPropertyRule &&
  CSS.supports('color', 'color-mix(in srgb, red, blue)') &&
  CSS.supports('selector(:dir(rtl))')
)
if (isTooOld) {
  document.documentElement.dataset.tooOld = ''
  document.addEventListener('DOMContentLoaded', saySorry)
}

function onFailure(event) {
  const isScript = event.target === window || event.target.tagName === 'SCRIPT'
  const root = document.getElementById('root')
  if (isScript && root && !root.firstChild) saySorry()
}
addEventListener('error', onFailure, true)
addEventListener('unhandledrejection', onFailure)
