import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { MessagingPanelProps } from './panel.tsx'

const Panel = lazily(() => import('./panel.tsx'))

export function MessagingPanel(props: MessagingPanelProps) {
  return (
    <Extra fallback={<SkeletonRows />}>
      <Panel {...props} />
    </Extra>
  )
}
