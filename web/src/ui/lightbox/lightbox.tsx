import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { LightboxProps } from './lightbox-view.tsx'

const LightboxView = lazily(() => import('./lightbox-view.tsx'))

/** Fetches the code of the lightbox, when a photo is about to be opened. */
export const prepareLightbox = LightboxView.near

/** Photos as large as the window: swipe, pinch, double tap, arrows and Escape. Draw it while it is open. */
export function Lightbox(props: LightboxProps) {
  return (
    <Extra onFail={props.onClose}>
      <LightboxView {...props} />
    </Extra>
  )
}
