import type { OwnAppeal, OwnSanction } from '@duet/contract/sanctions.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../ui/boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { useDays } from './sanction-view.tsx'

const AppealDialog = lazily(async () => ({ default: (await import('./appeal-dialog.tsx')).AppealDialog }))

export function AppealPart({ sanction: { id, appeal, appealUntil } }: { sanction: OwnSanction }) {
  const { t } = useTranslation('standing')
  const day = useDays()
  const [open, setOpen] = useState(false)
  if (appeal) return <Appealed appeal={appeal} />
  if (!appealUntil) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button variant="quiet" onClick={() => setOpen(true)}>
        {t('appeal.begin')}
      </Button>
      <p className="text-s text-ink-2">{t('appeal.until', { date: day(appealUntil) })}</p>
      {open && (
        <Extra onFail={() => setOpen(false)}>
          <AppealDialog sanctionId={id} onClose={() => setOpen(false)} />
        </Extra>
      )}
    </div>
  )
}

function Appealed({ appeal: { text, state, answer, createdAt, decidedAt } }: { appeal: OwnAppeal }) {
  const { t } = useTranslation('standing')
  const day = useDays()
  return (
    <section aria-label={t('appeal.title')} className="grid gap-3 rounded-m bg-sunken p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h4 className="font-[620]">{t('appeal.title')}</h4>
        <span className="rounded-full bg-surface px-3 py-1 text-s font-medium">{t(`appeal.state.${state}`)}</span>
      </div>
      <p dir="auto" className="text-s wrap-anywhere whitespace-pre-line text-ink-2">
        {text}
      </p>
      {answer ? (
        <div>
          <p className="text-s font-[540] text-ink-2">
            {t('appeal.answered', { date: decidedAt ? day(decidedAt) : '' })}
          </p>
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {answer}
          </p>
        </div>
      ) : (
        <p className="text-s">{t('appeal.waits', { date: day(createdAt) })}</p>
      )}
    </section>
  )
}
