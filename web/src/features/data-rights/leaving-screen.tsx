import { HeartHandshake, LogOut } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { RunningDates } from '../dates/dates.tsx'
import { useUndoErasure } from './data-rights.api.ts'
import { ExportCard } from './export-card.tsx'

const daysUntil = (moment: Date) => Math.max(1, Math.ceil((moment.getTime() - Date.now()) / 86_400_000))

/**
 * Shows when the account will be erased and lets the person cancel the erasure. They can also check in to their shared
 * dates and end them here.
 */
export function LeavingScreen({ eraseAt, mayChange = true }: { eraseAt: string; mayChange?: boolean }) {
  const { t, i18n } = useTranslation('data-rights')
  const undo = useUndoErasure()
  const signOut = useSession((state) => state.signOut)
  const moment = new Date(eraseAt)
  const date = moment.toLocaleDateString(regional(i18n.language), { dateStyle: 'long' })
  // `mutateAsync`, because the callbacks of `mutate` don't run once this screen has unmounted.
  const keep = () =>
    void undo.mutateAsync().then(
      () => toast.success(t('leaving.kept')),
      () => toast.error(t('failed')),
    )
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto w-full max-w-150 px-4 py-10 focus:outline-none sm:px-8 sm:py-16"
    >
      <PageTitle>{t('title')}</PageTitle>
      <span className="grid size-14 place-items-center rounded-full bg-accent-soft text-accent">
        <HeartHandshake aria-hidden="true" className="size-7" />
      </span>
      <h1 className="display mt-6 text-2xl text-balance sm:text-[38px]">{t('leaving.title', { date })}</h1>
      <p className="mt-4 text-ink-2">{t('leaving.text', { count: daysUntil(moment) })}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button size="l" busy={undo.isPending} onClick={keep}>
          {t('leaving.keep')}
        </Button>
        <Button
          size="l"
          variant="quiet"
          icon={<LogOut aria-hidden="true" className="mirror" />}
          onClick={() => void signOut()}
        >
          {t('leaving.signOut')}
        </Button>
      </div>
      <div className="mt-10 grid gap-10">
        <RunningDates mayChange={mayChange} />
        <Card>
          <ExportCard heading="h2" />
        </Card>
      </div>
    </main>
  )
}
