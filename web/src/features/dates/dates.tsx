import { preloadTexts } from '../../platform/i18n.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import type { ShareDateProps } from './share-date-dialog.tsx'

const ShareDateDialog = lazily(async () => {
  const [module] = await Promise.all([import('./share-date-dialog.tsx'), preloadTexts('dates', 'entry')])
  return { default: module.ShareDateDialog }
})

const Running = lazily(async () => {
  const [module] = await Promise.all([import('./running-dates.tsx'), preloadTexts('dates', 'entry')])
  return { default: module.RunningDates }
})

export function RunningDates(props: { mayChange: boolean }) {
  return (
    <Extra>
      <Running {...props} />
    </Extra>
  )
}

/** Loads and mounts the dialog only while it is open, so each time it starts with an empty form. */
export function ShareDate(props: ShareDateProps) {
  if (!props.open) return null
  return (
    <Extra onFail={() => props.onOpenChange(false)}>
      <ShareDateDialog {...props} />
    </Extra>
  )
}
