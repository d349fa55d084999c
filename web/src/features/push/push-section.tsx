import { lockScreens } from '@duet/contract/limits.ts'
import type { NotificationPreferences } from '@duet/contract/notifications.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ChoiceCard } from '../../ui/form/choice-card.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { pushQuery, useChangePreferences, usePreferences } from './push.api.ts'
import { QuietHours } from './quiet-hours.tsx'
import { ThisDevice } from './this-device.tsx'
import { TopicsTable } from './topics-table.tsx'

/** `children` render only after the settings have loaded, so that they don't shift down. */
export function PushSection({ children }: { children: ReactNode }) {
  const { t } = useTranslation('push')
  const { data, isError, isFetching, refetch } = usePreferences()
  return (
    <>
      <Section id="push" title={t('title')} hint={t('hint')}>
        <Card>
          <ThisDevice />
          <OtherDevices />
        </Card>
      </Section>
      {data && <Choices preferences={data} />}
      {!data && isError && (
        <Card>
          <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
        </Card>
      )}
      {data || isError ? children : <Skeleton className="h-120 rounded-l" />}
    </>
  )
}

function Choices({ preferences }: { preferences: NotificationPreferences }) {
  const { t } = useTranslation('push')
  const change = useChangePreferences(t('notSaved'))
  const { lockScreen, quietHours } = preferences
  return (
    <>
      <Section id="push-topics" title={t('topics.title')} hint={t('topics.hint')}>
        <TopicsTable preferences={preferences} onChange={change} />
      </Section>
      <Section id="lock-screen" title={t('lockScreen.title')} hint={t('lockScreen.hint')}>
        <fieldset className="grid grid-cols-1 gap-2.5">
          <legend className="sr-only">{t('lockScreen.title')}</legend>
          {lockScreens.map((level) => (
            <ChoiceCard
              key={level}
              name="lock-screen"
              label={t(`lockScreen.${level}.label`)}
              hint={t(`lockScreen.${level}.hint`)}
              checked={lockScreen === level}
              onChange={() => change({ lockScreen: level })}
            />
          ))}
        </fieldset>
      </Section>
      <Section id="quiet-hours" title={t('quiet.title')}>
        <Card>
          <QuietHours hours={quietHours} onChange={(hours) => change({ quietHours: hours })} />
        </Card>
      </Section>
    </>
  )
}

function OtherDevices() {
  const { t } = useTranslation('push')
  const queryClient = useQueryClient()
  const others = (useQuery(pushQuery).data?.devices ?? []).filter(({ current }) => !current)
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /api/push/devices/:id', { params: { id } }),
    onError: () => toast.error(t('notSaved')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  if (others.length === 0) return null
  return (
    <ul aria-label={t('others.title')} className="mt-4 -mb-2 divide-y divide-line border-t border-line">
      {others.map(({ id, device }) => (
        <li key={id} className="flex min-h-14 items-center gap-3">
          <span className="line-clamp-2 min-w-0 flex-1">{device}</span>
          <Button
            size="s"
            variant="text"
            disabled={end.isPending}
            aria-label={t('others.endOf', { device })}
            onClick={() => end.mutate(id)}
          >
            {t('others.end')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
