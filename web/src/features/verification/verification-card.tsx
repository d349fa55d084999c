import type { Verification } from '@duet/contract/verification.ts'
import { BadgeCheck, Hourglass } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Section } from '../../ui/page.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { useRevokeVerification, useVerification } from './verification.api.ts'
import { VerifyDialog } from './verify-dialog.tsx'

export function VerificationCard() {
  const { t } = useTranslation('verification')
  const { data, isError, isFetching, refetch } = useVerification()
  return (
    <Section id="verification" title={t('title')}>
      {data && <State verification={data} />}
      {!data && isError && <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !isError && (
        <SkeletonOf>
          <State verification={{ state: 'none' }} />
        </SkeletonOf>
      )}
    </Section>
  )
}

function State({ verification }: { verification: Verification }) {
  const { t, i18n } = useTranslation('verification')
  const { data: details } = useOwnDetails()
  const [open, setOpen] = useState(false)
  const { state, reason, verifiedAt } = verification
  const hasPhoto = details?.photos.some((photo) => photo.state !== 'rejected') ?? true
  const canStart = state !== 'waiting' && state !== 'approved'
  const date = verifiedAt && new Date(verifiedAt).toLocaleDateString(regional(i18n.language), { dateStyle: 'long' })
  const acts = { none: 'start', asked: 'goOn', rejected: 'again' } as const
  return (
    <Card className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <StateIcon state={state} />
      <div className="min-w-0 flex-[1_1_13rem]">
        <p>{t(canStart && !hasPhoto ? 'entry.noPhoto' : `entry.${state}`, { date })}</p>
        {reason && <p className="mt-1 text-s text-ink-2">{t(`reason.${reason}`)}</p>}
        {state === 'approved' && <p className="mt-1 text-s text-ink-2">{t('mainPhoto')}</p>}
      </div>
      {(state === 'none' || state === 'asked' || state === 'rejected') && (
        <Button variant="quiet" disabled={!hasPhoto} onClick={() => setOpen(true)}>
          {t(`act.${acts[state]}`)}
        </Button>
      )}
      {!canStart && <TakeBack state={state} />}
      <VerifyDialog open={open} onOpenChange={setOpen} verification={verification} />
    </Card>
  )
}

function StateIcon({ state }: { state: Verification['state'] }) {
  const looks: Partial<Record<Verification['state'], [ReactNode, string]>> = {
    approved: [<BadgeCheck key="badge" aria-hidden="true" />, 'bg-accent-soft text-accent'],
    waiting: [<Hourglass key="glass" aria-hidden="true" />, 'bg-sunken text-ink-2'],
  }
  const [icon, colour] = looks[state] ?? [<BadgeCheck key="badge" aria-hidden="true" />, 'bg-sunken text-ink-2']
  return <span className={`grid size-12 flex-none place-items-center rounded-full ${colour}`}>{icon}</span>
}

function TakeBack({ state }: { state: 'waiting' | 'approved' }) {
  const { t } = useTranslation('verification')
  const [open, setOpen] = useState(false)
  const takeBack = useRevokeVerification()
  const key = state === 'waiting' ? 'takeBack' : 'giveUp'
  const confirm = async () => {
    await takeBack.mutateAsync(undefined).catch(() => toast.error(t('takeBackFailed')))
  }
  return (
    <>
      <Button variant="text" onClick={() => setOpen(true)}>
        {t(`act.${key}`)}
      </Button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title={t(`${key}Title`)}
        description={t(`${key}Text`)}
        act={t(`act.${key}`)}
        onConfirm={confirm}
      />
    </>
  )
}
