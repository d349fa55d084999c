import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { LightboxProps } from './lightbox-view.tsx'

const LightboxView = lazily(() => import('./lightbox-view.tsx'))

export const prepareLightbox = LightboxView.near

export function Lightbox(props: LightboxProps) {
  return (
    <Extra onFail={props.onClose}>
      <LightboxView {...props} />
    </Extra>
  )
}
