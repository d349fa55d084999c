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

/** The dates that are shared at the moment, for people who cannot open /dates. */
export function RunningDates(props: { mayChange: boolean }) {
  return (
    <Suspense fallback={null}>
      <Running {...props} />
    </Suspense>
  )
}

/** Shares a date with a trusted person. Loaded when it opens; starts fresh each time. */
export function ShareDate(props: ShareDateProps) {
  if (!props.open) return null
  return (
    <Suspense fallback={null}>
      <ShareDateDialog {...props} />
    </Suspense>
  )
}
