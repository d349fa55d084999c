import type { Page } from '@playwright/test'

const pressable = 'a[href], button, input, select, textarea, summary, [role=menuitem], [role=slider]'

/**
 * Returns the problems of pressable elements, one line each: scrolling can't bring the element into the window, its
 * text is cut off, something covers it, or its touch target is smaller than `least` pixels. Links within text may be
 * small.
 */
export function misplaced(page: Page, least: number): Promise<string[]> {
  return page.evaluate(
    ({ selector, least }) => {
      const edges = (one: Element) => one.getBoundingClientRect()
      const scrolls = (one: Element, way: 'overflowX' | 'overflowY') => /auto|scroll/.test(getComputedStyle(one)[way])

      /** Whether an element is outside the window, or clipped by a box that hides overflow. */
      const isOut = (one: Element) => {
        let [sideways, upright] = [true, true]
        const { left, right, top, bottom } = edges(one)
        for (let box = one.parentElement; box && box !== document.body; box = box.parentElement) {
          if (scrolls(box, 'overflowX')) sideways = false
          if (scrolls(box, 'overflowY')) upright = false
          const { overflowX, position } = getComputedStyle(box)
          const inside = edges(box)
          if (overflowX === 'hidden' || overflowX === 'clip') {
            if (sideways && (left < inside.left - 1 || right > inside.right + 1)) return true
            if (upright && (top < inside.top - 1 || bottom > inside.bottom + 1)) return true
          }
          if (position === 'fixed') return upright && (inside.top < -1 || inside.bottom > innerHeight + 1)
        }
        return sideways && (left < -1 || right > innerWidth + 1)
      }

      // List rows higher than a button are exempt: they truncate their text on purpose.
      const isCut = (one: Element) =>
        edges(one).height < 60 &&
        [one, ...one.querySelectorAll('*')].some(
          (part) => getComputedStyle(part).overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1,
        )

      /** The area that activates an element when pressed. For a field inside a label, this is the label. */
      const areaOf = (one: Element) => one.closest('label') ?? one
      const answers = (one: Element, x: number, y: number) => {
        const { left, top, width, height } = edges(one)
        const hit = document.elementFromPoint(left + width / 2 + x, top + height / 2 + y)
        return hit !== null && one.contains(hit)
      }
      /** The touch target may be larger than the visible element. */
      const isSmall = (one: Element) => {
        const { width, height } = edges(one)
        const far = least / 2 - 1
        const isWide = width > least - 1 || (answers(one, -far, 0) && answers(one, far, 0))
        const isHigh = height > least - 1 || (answers(one, 0, -far) && answers(one, 0, far))
        return !isWide || !isHigh
      }
      const isInText = ({ parentElement }: Element) =>
        [...(parentElement?.childNodes ?? [])].some(
          (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
        )

      const faultOf = (one: Element) => {
        if (isOut(one)) return 'out of reach'
        if (isCut(one)) return 'cut off'
        if (isInText(one)) return undefined
        one.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
        if (!answers(one, 0, 0)) return 'covered'
        return isSmall(one) ? 'small' : undefined
      }

      // The skip link, which is only visible with focus.
      const unseen = '[href="#content"]'
      const root = document.querySelector('[role=dialog][data-state=open]') ?? document
      const all = [...root.querySelectorAll(selector)]
        .filter((one) => !one.closest('.sr-only, [inert], [aria-hidden=true]') && !one.matches(`:disabled, ${unseen}`))
        .map(areaOf)
        .filter(
          (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && edges(one).width > 1,
        )
      const found = all.flatMap((one) => {
        const fault = faultOf(one)
        return fault ? [`${fault}: ${one.outerHTML.slice(0, 160)}`] : []
      })
      scrollTo({ top: 0, behavior: 'instant' })
      return found
    },
    { selector: pressable, least },
  )
}

/** Returns the selected or focused elements that look like the others in forced-colours mode. */
export async function untold(page: Page): Promise<string[]> {
  // Focused elements show the focus ring only after a key press.
  await page.keyboard.press('Shift')
  return page.evaluate((selector) => {
    const properties = [
      'backgroundColor',
      'color',
      'borderTopColor',
      'borderBottomColor',
      'outlineStyle',
      'outlineColor',
    ]
    const look = (one: Element) =>
      [one, one.closest('label')].flatMap((part) =>
        [undefined, '::before', '::after'].flatMap((pseudo) => {
          const style = part ? getComputedStyle(part, pseudo) : undefined
          return properties.map((name) => style?.[name as 'color'])
        }),
      )
    const differs = (one: Element, change: () => void, back: () => void) => {
      const before = look(one).join()
      change()
      const after = look(one).join()
      back()
      return before !== after
    }
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) && !one.closest('[inert], [aria-hidden=true]')
    const isMarked = (one: Element, state: string) => {
      const value = one.getAttribute(state) ?? ''
      return differs(
        one,
        () => one.setAttribute(state, 'false'),
        () => one.setAttribute(state, value),
      )
    }
    const isTicked = (one: HTMLInputElement) =>
      differs(
        one,
        () => (one.checked = false),
        () => (one.checked = true),
      )
    const showsFocus = (one: HTMLElement) =>
      differs(
        one,
        () => one.focus({ preventScroll: true }),
        () => one.blur(),
      )

    ;(document.activeElement as HTMLElement | null)?.blur()
    const root = document.querySelector('[role=dialog][data-state=open]') ?? document
    const states = ['aria-current', 'aria-pressed', 'aria-selected']
    const chosen = [
      ...states.flatMap((state) =>
        [...root.querySelectorAll(`[${state}]:not([${state}=false])`)].filter(
          (one) => isShown(one) && !isMarked(one, state),
        ),
      ),
      ...[...root.querySelectorAll<HTMLInputElement>('input:checked')].filter((one) => isShown(one) && !isTicked(one)),
    ]
    const focused = [...root.querySelectorAll<HTMLElement>(selector)].filter(
      (one) => isShown(one) && one.tabIndex >= 0 && !one.matches(':disabled') && !showsFocus(one),
    )
    const told = (kind: string) => (one: Element) => `${kind}: ${one.outerHTML.slice(0, 160)}`
    return [...chosen.map(told('chosen')), ...focused.map(told('focused'))]
  }, pressable)
}
