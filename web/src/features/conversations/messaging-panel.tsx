import { lazy, Suspense } from 'react'
import { SkeletonRows } from '../../ui/skeleton.tsx'

const Panel = lazy(() => import('./panel.tsx'))

export interface MessagingPanelProps {
  /** The other person of the open conversation. Unset, the address and what was chosen last decide. */
  selectedId?: string | null
  onSelect?: (id: string | null) => void
}

/** Conversations and the open thread, in one column. Its code is loaded when it first shows. */
export function MessagingPanel(props: MessagingPanelProps) {
  return (
    <Suspense fallback={<SkeletonRows />}>
      <Panel {...props} />
    </Suspense>
  )
}
