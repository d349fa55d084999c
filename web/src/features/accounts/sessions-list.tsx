import type { SessionView } from '@duet/contract/accounts.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { relativeTime } from '../../platform/time.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { problemWords } from './problem-words.ts'

const sessionsKey = ['sessions'] as const

export function SessionsList() {
  const { t } = useTranslation(['accounts', 'entry'])
  const queryClient = useQueryClient()
  const [leaving, setLeaving] = useState<SessionView>()
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call('GET /api/user/sessions', { signal }),
  })
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /api/user/sessions/:id', { params: { id } }),
    onSuccess: () => toast.success(t('settings.sessionEnded')),
    onError: (error) => toast.error(problemWords(error, t)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsKey }),
  })
  if (isError && !data) return <ErrorState onRetry={() => refetch()} busy={isFetching} />
  if (!data) return <SkeletonRows rows={1} />
  return (
    <>
      <ul className="-my-3 divide-y divide-line">
        {data.sessions.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => setLeaving(session)} />
        ))}
      </ul>
      <Confirm
        open={leaving !== undefined}
        onOpenChange={(open) => !open && setLeaving(undefined)}
        title={t('settings.endSessionTitle')}
        description={leaving?.device}
        act={t('settings.endSession')}
        onConfirm={async () => {
          if (leaving) await end.mutateAsync(leaving.id).catch(() => undefined)
        }}
      />
      {data.sessions.length > 1 && <EverywhereButton />}
    </>
  )
}

function EverywhereButton() {
  const { t } = useTranslation(['accounts', 'entry'])
  const [asking, setAsking] = useState(false)
  const signOut = useSession((state) => state.signOut)
  const endAll = async () => {
    try {
      await call('POST /api/user/signOutEverywhere')
      void signOut()
    } catch (error) {
      toast.error(problemWords(error, t))
    }
  }
  return (
    <div className="mt-6">
      <Button variant="quiet" size="s" onClick={() => setAsking(true)}>
        {t('settings.everywhere')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('settings.everywhereTitle')}
        description={t('settings.everywhereHint')}
        act={t('settings.everywhere')}
        onConfirm={endAll}
      />
    </div>
  )
}

function SessionRow({ session, onEnd }: { session: SessionView; onEnd: () => void }) {
  const { t, i18n } = useTranslation(['accounts', 'entry', 'common'])
  const [now] = useState(() => new Date())
  const seen = session.current ? t('settings.thisDevice') : relativeTime(session.lastSeenAt, now, t, i18n.language)
  return (
    <li className="flex items-center gap-3.5 py-3.5">
      <span className="grid size-10 flex-none place-items-center rounded-full bg-sunken text-ink-2">
        <MonitorSmartphone aria-hidden="true" className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 font-[560]">{session.device}</span>
        <span className={session.current ? 'text-s text-good' : 'text-s text-ink-2'}>{seen}</span>
      </span>
      {!session.current && (
        <Button variant="quiet" size="s" onClick={onEnd} aria-label={t('settings.endOf', { device: session.device })}>
          {t('settings.endSession')}
        </Button>
      )}
    </li>
  )
}
