import { deviceTexts } from '../../platform/storage.ts'

const key = 'blurPhotos'

/** Blurs photos of people until one points at them, or shows them as they are; remembered, so that none flashes up at a start. */
export function showBlurred(blurred: boolean): void {
  document.documentElement.toggleAttribute('data-blur-photos', blurred)
  if (blurred) deviceTexts.write(key, 'on')
  else deviceTexts.remove(key)
}

/** As it was the last time. */
export function startBlur(): void {
  if (deviceTexts.read(key) === 'on') showBlurred(true)
}
