import { lazy, Suspense } from 'react'
import { preloadTexts } from '../../platform/i18n.ts'
import type { ShareDateProps } from './share-date-dialog.tsx'

const ShareDateDialog = lazy(async () => {
  const [module] = await Promise.all([import('./share-date-dialog.tsx'), preloadTexts('dates')])
  return { default: module.ShareDateDialog }
})

const Running = lazy(async () => {
  const [module] = await Promise.all([import('./running-dates.tsx'), preloadTexts('dates')])
  return { default: module.RunningDates }
})

/** The dates that are shared at the moment; for whoever cannot open /dates. */
export function RunningDates(props: { mayChange: boolean }) {
  return (
    <Suspense fallback={null}>
      <Running {...props} />
    </Suspense>
  )
}

/** Tells somebody trusted about a date. Loaded when it opens; begins anew each time. */
export function ShareDate(props: ShareDateProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <ShareDateDialog {...props} />
    </Suspense>
  )
}
