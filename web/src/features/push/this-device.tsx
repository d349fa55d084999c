import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff, BellRing, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../platform/call.ts'
import { permitted } from '../../platform/permitted.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { turnOn } from './browser.ts'
import { noteRefusal, turnOff } from './offered.ts'
import { pushQuery, useAbility } from './push.api.ts'

export function ThisDevice() {
  const { t } = useTranslation('push')
  const { data } = useQuery(pushQuery)
  const ability = useAbility()
  if (!data || !ability) return <State icon={BellOff} title={t('device.off')} text={t('device.offHint')} />
  if (data.publicKey === null) return <State icon={BellOff} title={t('device.none')} text={t('device.noneHint')} />
  const own = data.devices.find(({ current }) => current)
  if (own && ability === 'able') return <On id={own.id} />
  if (ability !== 'able') return <State icon={BellOff} title={t('device.off')} text={t(`device.${ability}`)} />
  if (permitted(() => Notification.permission) === 'denied')
    return <State icon={BellOff} title={t('device.denied')} text={t('device.deniedHint')} />
  return <Off publicKey={data.publicKey} />
}

function Off({ publicKey }: { publicKey: string }) {
  const { t } = useTranslation('push')
  const { busy, start } = useTurnOn(publicKey)
  return (
    <State icon={BellOff} title={t('device.off')} text={t('device.offHint')}>
      <Button size="s" busy={busy} onClick={start}>
        {t('device.turnOn')}
      </Button>
    </State>
  )
}

export function useTurnOn(publicKey: string, then?: (isOn: boolean) => void) {
  const { t } = useTranslation('push')
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => turnOn(publicKey),
    onSuccess: (isOn) => then?.(isOn),
    onError: () => toast.error(t('device.failed')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  return { busy: isPending, start: () => mutate() }
}

function On({ id }: { id: string }) {
  const { t } = useTranslation('push')
  const queryClient = useQueryClient()
  const end = useMutation({
    mutationFn: async () => {
      await call('DELETE /api/push/devices/:id', { params: { id } })
      noteRefusal()
      await turnOff()
    },
    onError: () => toast.error(t('notSaved')),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushQuery.queryKey }),
  })
  const test = useMutation({
    mutationFn: () => call('POST /api/push/test'),
    onSuccess: ({ sent }) => (sent ? toast.success(t('device.tested')) : toast.error(t('device.notTested'))),
    onError: () => toast.error(t('device.notTested')),
  })
  return (
    <State icon={BellRing} title={t('device.on')} text={t('device.onHint')} good>
      <Button size="s" variant="quiet" busy={test.isPending} onClick={() => test.mutate()}>
        {t('device.test')}
      </Button>
      <Button size="s" variant="text" busy={end.isPending} onClick={() => end.mutate()}>
        {t('device.turnOff')}
      </Button>
    </State>
  )
}

interface StateProps {
  icon: LucideIcon
  title: string
  text: string
  good?: boolean
  children?: ReactNode
}

function State({ icon: Icon, title, text, good, children }: StateProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <span
        className={`grid size-11 flex-none place-items-center rounded-full ${good ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink-2'}`}
      >
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <div className="min-w-0 flex-[1_1_220px]">
        <h3 className="font-[580]">{title}</h3>
        <p className="text-s text-ink-2 text-pretty">{text}</p>
      </div>
      {children && (
        <div className="flex flex-none flex-wrap items-center gap-1 max-sm:basis-full max-sm:ps-15">{children}</div>
      )}
    </div>
  )
}
