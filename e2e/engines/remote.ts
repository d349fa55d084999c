import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browsing, Found } from './browsing.ts'
import type { Command } from './start.ts'

type Words = string | RegExp
interface Options {
  name?: Words
  exact?: boolean
  level?: number
}
/** One step towards an element: a query among the descendants, or an index into the elements found so far. */
type Step = number | { query: string; what: unknown; name?: unknown; level?: number | undefined }
type Seen = { element: Record<string, string>; isVisible: boolean; isEnabled: boolean; isOn: boolean; box: string }

// Shared by all scripts; by default Firefox runs each one in a new sandbox.
const sandbox = { sandbox: 'duet', newSandbox: false }
const require = createRequire(import.meta.url)
const library = require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js')
const keys: Record<string, string> = { Backspace: '\uE003', Enter: '\uE007', Escape: '\uE00C', ArrowRight: '\uE014' }
const press = (key: string) => ['keyDown', 'keyUp'].map((type) => ({ type, value: keys[key] ?? key }))

/** Builds a pattern that matches as Playwright does: a case-insensitive substring, unless `exact`. */
function pattern(words: Words | undefined, exact = false): object | undefined {
  if (words === undefined) return undefined
  if (words instanceof RegExp) return { source: words.source, flags: words.flags }
  const source = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return exact ? { source: `^${source}$`, flags: '' } : { source, flags: 'i' }
}

/** Runs in the page: follows the steps to an element and describes it. */
function look(steps: Step[]) {
  type Query = (root: HTMLElement, what: unknown, options: object) => HTMLElement[]
  const { TestingLibraryDom: queries } = globalThis as unknown as { TestingLibraryDom?: Record<string, Query> }
  if (!queries) return 'no queries'
  const revive = (value: unknown) => {
    const { source, flags } = (value ?? {}) as { source?: string; flags?: string }
    return source === undefined ? value : new RegExp(source, flags)
  }
  let found: HTMLElement[] = [document.body]
  for (const step of steps) {
    if (typeof step === 'number') {
      found = [found.at(step)].filter((one) => one !== undefined)
      continue
    }
    const { query, what, name, level } = step
    const options = { ...(name !== undefined && { name: revive(name) }), ...(level !== undefined && { level }) }
    const inside = (root: HTMLElement) =>
      queries[query]?.(root, revive(what), options) ?? [...root.querySelectorAll<HTMLElement>(String(what))]
    found = [...new Set(found.flatMap(inside))]
  }
  const [element] = found
  if (!element) return null
  const { top, left, width, height } = element.getBoundingClientRect()
  const isVisible = width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  const isEnabled = !element.matches(':disabled, [aria-disabled=true]')
  return { element, isVisible, isEnabled, isOn: element.matches(':checked'), box: [top, left, width, height].join() }
}

/** Finds its elements again for each action, like Playwright's locators. */
class Parts implements Found {
  constructor(
    protected readonly command: Command,
    readonly steps: readonly Step[] = [],
  ) {}

  #in = (...steps: Step[]) => new Parts(this.command, [...this.steps, ...steps])
  getByRole(role: string, { name, exact, level }: Options = {}) {
    return this.#in({ query: 'queryAllByRole', what: role, name: pattern(name, exact), level })
  }
  getByText(text: Words, { exact }: Options = {}) {
    return this.#in({ query: 'queryAllByText', what: pattern(text, exact) })
  }
  getByLabel(text: Words, { exact }: Options = {}) {
    return this.#in({ query: 'queryAllByLabelText', what: pattern(text, exact) })
  }
  locator(selector: string) {
    return this.#in({ query: 'css', what: selector })
  }
  first = () => this.#in(0)
  last = () => this.#in(-1)
  nth = (index: number) => this.#in(index)

  protected run<Result>(run: (...given: never[]) => Result, ...given: unknown[]): Promise<Awaited<Result>> {
    return this.command('ExecuteScript', {
      script: `return (${run})(...arguments)`,
      args: given,
      ...sandbox,
    }) as Promise<Awaited<Result>>
  }

  async #look(): Promise<Seen | null> {
    const seen = await this.run(look, this.steps)
    if (seen !== 'no queries') return seen as Seen | null
    const script = `${readFileSync(library, 'utf8')};window.TestingLibraryDom = TestingLibraryDom`
    await this.command('ExecuteScript', { script, args: [], ...sandbox })
    return this.#look()
  }

  async #until(what: string, isSo: (seen: Seen | null) => boolean): Promise<Seen> {
    let seen: Seen | null | undefined
    let error: unknown
    for (const since = Date.now(); Date.now() - since < 60_000; await sleep(50)) {
      // During a navigation, the old page responds with an error.
      seen = await this.#look().catch((cause) => {
        error = cause
        return undefined
      })
      if (seen !== undefined && isSo(seen)) return seen as Seen
    }
    throw new Error(`Not ${what}: ${JSON.stringify(this.steps)}: ${seen === undefined ? error : JSON.stringify(seen)}`)
  }

  async waitFor({ state = 'visible' }: { state?: 'visible' | 'hidden' } = {}) {
    await this.#until(state, (seen) => Boolean(seen?.isVisible) === (state === 'visible'))
  }

  async #ready(): Promise<string> {
    let box = ''
    const { element } = await this.#until('ready', (seen) => {
      const isStill = seen?.isVisible && seen.isEnabled && seen.box === box
      box = seen?.box ?? ''
      return Boolean(isStill)
    })
    return Object.values(element)[0] as string
  }

  async click({ button }: { button?: 'right' } = {}) {
    const id = await this.#ready()
    if (button) {
      const to = { type: 'pointerMove', x: 0, y: 0, origin: { 'element-6066-11e4-a52e-4f735466cecf': id } }
      const actions = [to, ...['pointerDown', 'pointerUp'].map((type) => ({ type, button: 2 }))]
      await this.command('PerformActions', { actions: [{ type: 'pointer', id: 'mouse', actions }] })
    } else await this.command('ElementClick', { id })
  }
  async check() {
    const { isOn } = await this.#until('there', (seen) => seen !== null)
    if (!isOn) await this.click()
  }
  async fill(text: string) {
    const id = await this.#ready()
    await this.command('ElementClear', { id })
    await this.command('ElementSendKeys', { id, text })
  }
  async press(key: string) {
    const id = await this.#ready()
    await this.command('ElementSendKeys', { id, text: keys[key] ?? key })
  }
  async setInputFiles(path: string) {
    const { element } = await this.#until('there', (seen) => seen !== null)
    await this.command('ElementSendKeys', { id: String(Object.values(element)[0]), text: path })
  }
}

export class Remote extends Parts implements Browsing {
  readonly #origin: string

  constructor(command: Command, origin: string) {
    super(command)
    this.#origin = origin
  }

  keyboard = {
    press: async (key: string) => {
      await this.command('PerformActions', { actions: [{ type: 'key', id: 'keys', actions: press(key) }] })
    },
  }
  evaluate = this.run as Browsing['evaluate']
  async goto(address: string) {
    await this.command('Navigate', { url: new URL(address, this.#origin).href })
  }
  async setViewportSize(size: { width: number; height: number }) {
    const measure = () => ({
      width: innerWidth,
      height: innerHeight,
      right: outerWidth - innerWidth,
      top: outerHeight - innerHeight,
    })
    for (const since = Date.now(); Date.now() - since < 60_000; await sleep(50)) {
      const { width, height, right, top } = await this.run(measure)
      if (width === size.width && height === size.height) return
      await this.command('SetWindowRect', { width: size.width + right, height: size.height + top })
    }
    throw new Error(`The window can’t be resized to ${size.width} x ${size.height} pixels.`)
  }
}
