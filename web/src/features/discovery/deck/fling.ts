import type { Decision } from '@duet/contract/profiles.ts'
import { stillMotion } from './use-swipe.ts'

const leave = 'cubic-bezier(.3,.3,.6,1)'
const arrive = 'cubic-bezier(.2,.8,.2,1)'
const away: Record<Decision, string> = {
  like: 'translate(150%, -4%) rotate(8deg)',
  pass: 'translate(-150%, -4%) rotate(-8deg)',
  later: 'translate(0, -130%)',
}

/**
 * Animates a copy of the card in the direction of the decision. The card itself is removed immediately, so that the
 * next one can be clicked.
 */
export function flingAway(card: HTMLElement, ghosts: HTMLElement | null, decision: Decision): void {
  const place = card.parentElement?.getBoundingClientRect()
  if (!ghosts || !place || stillMotion() || !card.animate) return
  const around = ghosts.getBoundingClientRect()
  const ghost = card.cloneNode(true) as HTMLElement
  ghost.inert = true
  ghost.removeAttribute('aria-label')
  ghost.removeAttribute('data-card')
  ghost.style.inset = `${place.top - around.top}px auto auto ${place.left - around.left}px`
  ghost.style.width = `${place.width}px`
  ghost.style.height = `${place.height}px`
  for (const stamp of ghost.querySelectorAll<HTMLElement>('[data-stamp]'))
    stamp.style.opacity = stamp.dataset.stamp === decision ? '1' : '0'
  ghosts.append(ghost)
  const from = card.style.transform || 'none'
  const flight = ghost.animate([{ transform: from }, { transform: away[decision], opacity: 0 }], {
    duration: 250,
    easing: leave,
  })
  flight.onfinish = () => ghost.remove()
  flight.oncancel = () => ghost.remove()
}

export function flyBack(card: HTMLElement, decision: Decision): void {
  if (stillMotion()) return
  card.animate?.([{ transform: away[decision] }, { transform: 'none' }], { duration: 240, easing: arrive })
}
