import { by } from '@duet/contract/order.ts'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}
interface Size {
  width: number
  height: number
}

/** In pixels. */
const gap = 8

const moved = (box: Box, left: number, top: number): Box => ({
  left,
  top,
  right: left + box.right - box.left,
  bottom: top + box.bottom - box.top,
})
const shared = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
/** Clips a button to its panel. The result is empty if the button is scrolled out of view. */
const within = (panel: Box, { left, top, right, bottom }: Box): Box => ({
  left,
  right,
  top: Math.max(top, panel.top),
  bottom: Math.min(bottom, panel.bottom),
})
const sharedWith = (all: readonly Box[], box: Box) => all.reduce((sum, one) => sum + shared(box, one), 0)

/**
 * Returns where to show toasts: at `usual` if no open panel is there, or else at the nearest place without one, or else
 * at the place that covers the least of the panels' `buttons`.
 */
export function clearPlace(usual: Box, panels: readonly Box[], buttons: readonly Box[], { width, height }: Size): Box {
  const wide = usual.right - usual.left
  const high = usual.bottom - usual.top
  const beside = panels.flatMap((panel) => [
    moved(usual, panel.left - gap - wide, usual.top),
    moved(usual, panel.right + gap, usual.top),
  ])
  const below = [...panels, ...buttons].map(({ bottom }) => moved(usual, usual.left, bottom + gap))
  const edges = [moved(usual, usual.left, gap), moved(usual, usual.left, height - gap - high)]
  const places = [usual, ...beside, ...below, ...edges].filter(
    ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= width && bottom <= height,
  )
  const clear = places.find((place) => sharedWith(panels, place) === 0)
  return clear ?? places.toSorted(by((place) => sharedWith(buttons, place)))[0] ?? usual
}

const panelsOpen = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'
const pressable = 'button, a[href], input, textarea, select, [role=menuitem], [role=option]'

function placeToasts(toasters: Iterable<HTMLElement>): void {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  for (const toaster of toasters) {
    const front = toaster.querySelector<HTMLElement>('[data-front=true]')
    if (!front) continue
    const [x = 0, y = 0] = (toaster.style.translate || '0').split(' ').map(Number.parseFloat)
    // The usual place, without the current shift and the entry animation. Toasts behind the front one extend below it.
    const { left, right } = boxOf(front)
    const top = boxOf(toaster).top - y
    const behind = toaster.querySelectorAll('[data-visible=true]').length - 1
    const bottom = top + front.offsetHeight + Math.max(0, behind) * 14
    const usual = { left: left - x, right: right - x, top, bottom }
    const panels = [...document.querySelectorAll(panelsOpen)]
    const buttons = panels.flatMap((panel) =>
      [...panel.querySelectorAll(pressable)].map((button) => within(boxOf(panel), boxOf(button))),
    )
    const place = clearPlace(usual, panels.map(boxOf), buttons, { width: innerWidth, height: innerHeight })
    const aside = Math.round(place.left - usual.left)
    const down = Math.round(place.top - usual.top)
    if (aside !== x || down !== y) toaster.style.translate = `${aside}px ${down}px`
  }
}

/** How often to check whether panels have opened, moved or closed, in ms. */
const lookEvery = 100

export function keepToastsClear(root: Element): void {
  const toasters = root.getElementsByTagName('ol')
  let next: ReturnType<typeof setTimeout> | undefined
  const place = () => {
    clearTimeout(next)
    placeToasts(toasters)
    if (root.querySelector('li')) next = setTimeout(place, lookEvery)
  }
  new MutationObserver(place).observe(root, { childList: true, subtree: true })
}
