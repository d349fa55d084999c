import { setTimeout as sleep } from 'node:timers/promises'
import type { Browsing } from './browsing.ts'

/** The size of each visible element that has text or is drawn. The key is the element's tag and text. */
export type Boxes = Record<string, [width: number, height: number]>

async function measure(): Promise<Boxes> {
  await document.fonts.ready
  const root = [...document.querySelectorAll('[role=dialog]')].at(-1)
  const boxes: Boxes = {}
  for (const element of root ? [root, ...root.querySelectorAll('*')] : document.body.querySelectorAll('*')) {
    const { width, height } = element.getBoundingClientRect()
    const isDrawn = /^(a|button|img|input|select|textarea|svg|h\d|p|li|section|article|header|footer)$/i.test(
      element.tagName,
    )
    if (
      (!isDrawn && element !== root) ||
      width < 2 ||
      height < 2 ||
      !element.checkVisibility({ visibilityProperty: true })
    )
      continue
    const label = element.getAttribute('aria-label') ?? element.getAttribute('alt')
    const words = (label || element.textContent).replace(/\s+/g, ' ').trim().slice(0, 40)
    const key = `${element.tagName.toLowerCase()} ${words}`.trim()
    let name = key
    for (let count = 2; boxes[name]; count++) name = `${key} (${count})`
    boxes[name] = [Math.round(width), Math.round(height)]
  }
  return boxes
}

export async function settledBoxes(page: Browsing): Promise<Boxes> {
  let before = ''
  for (const since = Date.now(); Date.now() - since < 30_000; await sleep(150)) {
    const boxes = await page.evaluate(measure)
    const now = JSON.stringify(boxes)
    if (now === before) return boxes
    before = now
  }
  throw new Error('The page doesn’t stop changing.')
}

/** The reason why elements may differ in size, by the start of their key. */
const explained: Record<string, string> = {
  'button Keyboard shortcuts': 'no font of ours has its arrows, so each engine takes those of another font',
  'p For adults': 'as wide as the title above it, and WebKit on Linux sets that font up to 4 % wider',
  'li New': 'the engine that opens the chat first finds it unread',
  'p New': 'the engine that opens the chat first finds it unread',
}

/** The height of one line, in CSS pixels: in another engine a text may be slightly wider and need one more line. */
const line = 24

/** Describes each element that is only on one of the pages, or whose size differs. */
export function differences(chromium: Boxes, other: Boxes): string[] {
  const isExplained = (name: string) => Object.keys(explained).some((start) => name.startsWith(start))
  const names = Object.keys({ ...chromium, ...other }).filter((name) => !isExplained(name))
  if (names.length === 0) return ['nothing is there']
  return names.flatMap((name) => {
    const [box, wanted] = [other[name], chromium[name]]
    if (!box || !wanted) return [`${name} is only in ${wanted ? 'Chromium' : 'the other engine'}`]
    const canWrap = /^(a|p|li|h\d|section|article|header|footer|div) ./.test(name)
    // WebKit on Linux renders the title font up to 4 % wider, so a title may need one more line (up to 40 px).
    const isTitle = /^h\d /.test(name)
    const wider = isTitle ? 0.05 : 0.01
    const more = canWrap ? (isTitle ? 1.75 * line : line) : 0
    const [across, down] = [Math.abs(wanted[0] - box[0]), Math.abs(wanted[1] - box[1])]
    const isSame = across <= 4 + wanted[0] * wider && down <= 4 + wanted[1] / 100 + more
    return isSame ? [] : [`${name} is ${box.join(' x ')} and not ${wanted.join(' x ')}`]
  })
}
