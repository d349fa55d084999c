import { ownTexts } from '../../platform/personal/personal.ts'
import { whenPersonChanges } from '../../platform/session.ts'

const show = (blurred: boolean) => void document.documentElement.toggleAttribute('data-blur-photos', blurred)

/** Blurs photos of people until one points at them, or shows them as they are; remembered, so that none flashes up at a start. */
export function showBlurred(blurred: boolean): void {
  show(blurred)
  if (blurred) ownTexts().write('blurPhotos', 'on')
  else ownTexts().remove('blurPhotos')
}

/** As it was the last time. */
export const startBlur = (): void => show(ownTexts().read('blurPhotos') === 'on')

whenPersonChanges(startBlur)
