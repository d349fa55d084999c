import { lazy, Suspense } from 'react'
import { preloadTexts } from '../../platform/i18n.ts'
import type { ShareDateProps } from './share-date-dialog.tsx'

const ShareDateDialog = lazy(async () => {
  const [module] = await Promise.all([import('./share-date-dialog.tsx'), preloadTexts('dates')])
  return { default: module.ShareDateDialog }
})

/** Tells somebody trusted about a date. Loaded when it opens; begins anew each time. */
export function ShareDate(props: ShareDateProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <ShareDateDialog {...props} />
    </Suspense>
  )
}
