import type { MyDetails } from '@duet/contract/profiles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deckKey } from '../../cache/keys.ts'
import { Link } from '../../platform/address/address.tsx'
import { type Trials, useTried } from '../../platform/query/trials.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Section } from '../../ui/page.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'
import { ownDetailsKey, useOwnDetails } from '../accounts/accounts.ts'
import { useUpdateUser } from '../profiles/profiles.ts'
import { useResetLearning } from './matching.api.ts'

export function MatchingSettings() {
  const { t } = useTranslation('matching')
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  return (
    <Section title={t('settings.title')}>
      <Card className="space-y-3 pt-3!">
        {details && <Switches {...details} />}
        {!details && isError && <ErrorState busy={isFetching} onRetry={() => void refetch()} />}
        {!details && !isError && (
          <SkeletonOf>
            <Switches paused={false} learnFromMe={false} />
          </SkeletonOf>
        )}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
          <ResetLearning />
          <Link
            to="/how-matching-works"
            className="flex min-h-11 items-center text-[15px] font-[560] text-accent underline-offset-4 hover:underline"
          >
            {t('title')}
          </Link>
        </div>
      </Card>
    </Section>
  )
}

const switches = { paused: 'pause', learnFromMe: 'learn' } as const

type Settings = Pick<MyDetails, keyof typeof switches>

const settingTrials: Trials<Settings, Partial<Settings>> = {
  queryKey: ownDetailsKey,
  apply: (settings, changes) => ({ ...settings, ...changes }),
}

function Switches(saved: Settings) {
  const settings = useTried(settingTrials, saved) ?? saved
  return (
    <div className="space-y-3">
      <OneSwitch name="paused" settings={settings} />
      <OneSwitch name="learnFromMe" settings={settings} />
    </div>
  )
}

function OneSwitch({ name, settings }: { name: keyof typeof switches; settings: Settings }) {
  const { t } = useTranslation('matching')
  const queryClient = useQueryClient()
  const update = useUpdateUser()
  const change = (on: boolean) =>
    void update.mutateAsync({ [name]: on }).then(
      () => queryClient.invalidateQueries({ queryKey: deckKey }),
      () => toast.error(t('settings.failed')),
    )
  return (
    <Switch
      id={name}
      label={t(`settings.${switches[name]}`)}
      hint={t(`settings.${switches[name]}Hint`)}
      checked={settings[name]}
      onChange={change}
    />
  )
}

function ResetLearning() {
  const { t } = useTranslation('matching')
  const [asking, setAsking] = useState(false)
  const reset = useResetLearning()
  const confirm = async () => {
    try {
      await reset.mutateAsync()
      toast.success(t('settings.resetDone'))
    } catch {
      toast.error(t('settings.failed'))
    }
  }
  return (
    <>
      <Button id="forget-learning" variant="quiet" onClick={() => setAsking(true)}>
        {t('settings.reset')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('settings.resetTitle')}
        description={t('settings.resetText')}
        act={t('settings.reset')}
        onConfirm={confirm}
      />
    </>
  )
}
