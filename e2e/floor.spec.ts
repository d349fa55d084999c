import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import bcd from '@mdn/browser-compat-data' with { type: 'json' }
import type { CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { expect, test } from './fixtures.ts'
import { browserOf } from './people.ts'

// Checks the build for APIs and CSS that the oldest supported browsers lack, because the bundler only transforms syntax
// (web/vite.config.ts).

const floor = { chrome: 120, firefox: 128, safari: 16.4, safari_ios: 16.4 } as const
type Browser = keyof typeof floor

const assets = join(import.meta.dirname, '../web/dist/assets')
const built = (ending: string) =>
  readdirSync(assets)
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n')

function isInFloor({ support }: CompatStatement): boolean {
  return (Object.keys(floor) as Browser[]).every((browser) =>
    [support[browser] ?? []].flat().some(({ version_added: added, version_removed, flags, partial_implementation }) => {
      const isThere = typeof added === 'string' && Number.parseFloat(added.replace('≤', '')) <= floor[browser]
      return isThere && !version_removed && !flags && !partial_implementation
    }),
  )
}

const namesIn = (of: Identifier | undefined) => Object.entries(of ?? {}).filter(([name]) => name !== '__compat')

// Methods of these types are called on values, so the build can only be searched for the method's name.
const kinds = /^(Array|ArrayBuffer|BigInt|Date|Map|Number|Promise|Set|String|TypedArray|WeakMap)$/
const { builtins = {} } = bcd.javascript

/**
 * Maps each static function (`URL.canParse`) and method (`.toSorted`) to whether all of the oldest browsers have it.
 */
function members(): Map<string, boolean> {
  const all = new Map<string, boolean>()
  for (const [owner, holder] of [...namesIn(builtins), ...namesIn(bcd.api)])
    for (const [name, { __compat: compat }] of namesIn(holder as Identifier) as [string, Identifier][]) {
      if (!compat || !/^\w+$/.test(name)) continue
      const isStatic = name.endsWith('_static') || /^(Math|JSON|Reflect|Intl|Atomics|Object|Promise)$/.test(owner)
      const isBuiltIn = kinds.test(owner)
      if (!isStatic && !isBuiltIn) continue
      const written = isStatic ? `${owner}.${name.replace('_static', '')}` : `.${name}`
      // A method name that several types share passes if the method of any of them is supported: the receiver's type is
      // unknown here.
      all.set(written, (all.get(written) ?? false) || isInFloor(compat))
    }
  return all
}

/** Optional: the app checks for support or catches the error. */
const askedFor = [
  'PublicKeyCredential.parseRequestOptionsFromJSON',
  'PublicKeyCredential.parseCreationOptionsFromJSON',
  'Notification.requestPermission',
]

test('scripts call no function that the oldest supported browsers lack', () => {
  const scripts = built('.js')
  const missing = [...members()].filter(([name, isThere]) => !isThere && !askedFor.includes(name)).map(([name]) => name)
  const called = (name: string) =>
    new RegExp(`${name.startsWith('.') ? '' : '(?<![\\w$.])'}${name.replaceAll('.', '\\.')}\\(`).test(scripts)
  expect(missing).toContain('URL.canParse')
  expect(missing.filter(called)).toEqual([])
})

/** Without these, a page only looks slightly different, or a script replaces them. */
const graceful = [
  '-webkit-tap-highlight-color',
  '-webkit-touch-callout',
  'field-sizing',
  'forced-color-adjust',
  'overflow-anchor',
  'overscroll-behavior',
  'overscroll-behavior-x',
  'resize',
  'scrollbar-width',
  'text-wrap',
]

test('styles depend on no property that the oldest supported browsers lack', () => {
  const styles = built('.css')
  const properties = namesIn(bcd.css.properties as Identifier) as [string, Identifier][]
  const missing = properties.filter(([, { __compat }]) => __compat && !isInFloor(__compat)).map(([name]) => name)
  const used = missing.filter((name) => new RegExp(`[{;]${name}:`).test(styles))
  expect(missing).toContain('field-sizing')
  expect(used.filter((name) => !graceful.includes(name))).toEqual([])
})

test("the page says so if the browser is too old or the app can't start", { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const old = await browserOf(browser, duet, undefined, { locale: 'es-ES' })
  await old.addInitScript('delete Array.prototype.toSorted')
  await old.goto('/login')
  await expect(old.getByText('Duet no ha podido iniciarse.')).toBeVisible()
  await old.context().close()
  const caught = await browserOf(browser, duet, undefined)
  await caught.route('**/base-*.js', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>Pay for the network' }),
  )
  await caught.goto('/login')
  await expect(caught.getByText('Duet couldn’t start.')).toBeVisible()
  await caught.context().close()
})

test('a browser without JavaScript shows what is missing, in three languages', { tag: '@long' }, async ({
  browser,
  duet,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: duet.baseURL })
  const page = await context.newPage()
  await page.goto('/')
  // Selects by element because Playwright doesn't find text in `noscript`.
  const sentences = page.locator('noscript p')
  const beginnings = ['Duet needs JavaScript.', 'Duet necesita JavaScript.', 'يحتاج Duet إلى جافاسكريبت.']
  await expect(sentences).toContainText(beginnings)
  for (const sentence of await sentences.all()) await expect(sentence).toBeVisible()
  await context.close()
})
