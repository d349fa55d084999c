const key = 'blurPhotos'

/** Blurs photos of people until one points at them, or shows them as they are; remembered, so that none flashes up at a start. */
export function showBlurred(blurred: boolean): void {
  document.documentElement.toggleAttribute('data-blur-photos', blurred)
  if (blurred) localStorage.setItem(key, 'on')
  else localStorage.removeItem(key)
}

/** As it was the last time. */
export function startBlur(): void {
  if (localStorage.getItem(key) === 'on') showBlurred(true)
}
