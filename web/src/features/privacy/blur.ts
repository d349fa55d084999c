import { ownTexts } from '../../platform/personal/personal.ts'
import { whenPersonChanges } from '../../platform/session.ts'

const show = (blurred: boolean) => void document.documentElement.toggleAttribute('data-blur-photos', blurred)

/**
 * Blurs people's photos until they are hovered over. The setting is stored on the device, so that no photo appears
 * unblurred when the app next starts.
 */
export function showBlurred(blurred: boolean): void {
  show(blurred)
  if (blurred) ownTexts().write('blurPhotos', 'on')
  else ownTexts().remove('blurPhotos')
}

export const startBlur = (): void => show(ownTexts().read('blurPhotos') === 'on')

whenPersonChanges(startBlur)
