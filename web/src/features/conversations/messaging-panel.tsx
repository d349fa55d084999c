import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import type { MessagingPanelProps } from './panel.tsx'

const Panel = lazy(() => import('./panel.tsx'))

/** Conversations and the open thread, in one column. Its code is loaded when it first shows. */
export function MessagingPanel(props: MessagingPanelProps) {
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Panel {...props} />
    </Suspense>
  )
}
