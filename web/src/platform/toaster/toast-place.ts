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

/** Pixels between a toast and what it makes room for, and the edge of the window. */
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
/** What of a box is in the window of a panel; what is scrolled out of it is empty. */
const within = (panel: Box, { left, top, right, bottom }: Box): Box => ({
  left,
  right,
  top: Math.max(top, panel.top),
  bottom: Math.min(bottom, panel.bottom),
})
const sharedWith = (all: readonly Box[], box: Box) => all.reduce((sum, one) => sum + shared(box, one), 0)

/**
 * Where toasts stand that would stand at `usual`: there, else as near as they are clear of the open `panels`; where there
 * is no such place, clear of the `buttons` in them.
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

/** Moves the toasts out of the way of what is open, and back. */
function placeToasts(toasters: Iterable<HTMLElement>): void {
  const boxOf = (element: Element) => element.getBoundingClientRect()
  for (const toaster of toasters) {
    const front = toaster.querySelector<HTMLElement>('[data-front=true]')
    if (!front) continue
    const [x = 0, y = 0] = (toaster.style.translate || '0').split(' ').map(Number.parseFloat)
    // Where they would stand, once they have come; those behind the first look out below it.
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

/** How often toasts look for what has opened, moved or closed since, in ms. */
const lookEvery = 100

/** Keeps the toasts in `root` out of the way of panels, from before they are first drawn. */
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
