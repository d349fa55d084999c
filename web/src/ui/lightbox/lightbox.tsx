import { lazy, Suspense } from 'react'
import type { LightboxProps } from './lightbox-view.tsx'

const load = () => import('./lightbox-view.tsx')
const LightboxView = lazy(load)

/** Fetches the code of the lightbox, when a photo is about to be opened. */
export const prepareLightbox = (): void => void load().catch(() => undefined)

/** Photos as large as the window: swipe, pinch, double tap, arrows and Escape. Draw it while it is open. */
export function Lightbox(props: LightboxProps) {
  return (
    <Suspense fallback={null}>
      <LightboxView {...props} />
    </Suspense>
  )
}
