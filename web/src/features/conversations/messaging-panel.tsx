import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { MessagingPanelProps } from './panel.tsx'

const Panel = lazily(() => import('./panel.tsx'))

/** Conversations and the open thread, in one column. Its code is loaded when it first shows. */
export function MessagingPanel(props: MessagingPanelProps) {
  return (
    <Extra fallback={<SkeletonRows />}>
      <Panel {...props} />
    </Extra>
  )
}
