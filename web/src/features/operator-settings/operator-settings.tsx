import type { OperatorSettings } from '@duet/contract/settings.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useChangeSettings, useOperatorSettings } from './operator-settings.api.ts'

/** The most the server takes, and what the field begins with when there was no limit. */
const mostLikes = 1000
const usualLikes = 100

/** The settings that apply to all people. */
export function OperatorSettingsView() {
  const { t } = useTranslation('insights')
  const { data, isError, isFetching, refetch } = useOperatorSettings()
  if (!data && isError)
    return <ErrorState text={t('settings.failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-64 rounded-l" />
  return (
    <Section title={t('settings.likes')}>
      <LikesForm settings={data} />
    </Section>
  )
}

const isAllowed = (text: string) => /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= mostLikes

function LikesForm({ settings: { dailyLikes } }: { settings: OperatorSettings }) {
  const { t } = useTranslation('insights')
  const [limited, setLimited] = useState(dailyLikes !== null)
  const [text, setText] = useState(String(dailyLikes ?? usualLikes))
  const [checked, setChecked] = useState(false)
  const change = useChangeSettings()
  const wrong = limited && !isAllowed(text.trim())
  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (wrong) return
    change.mutate(
      { dailyLikes: limited ? Number(text) : null },
      { onSuccess: () => toast.success(t('settings.saved')), onError: () => toast.error(t('settings.notSaved')) },
    )
  }
  return (
    <Card>
      <form noValidate onSubmit={save} className="grid gap-5">
        <Switch
          label={t('settings.limited')}
          hint={t('settings.limitedHint')}
          checked={limited}
          onChange={setLimited}
        />
        {limited && (
          <Field
            inputMode="numeric"
            autoComplete="off"
            label={t('settings.dailyLikes')}
            hint={t('settings.dailyLikesHint', { n: mostLikes })}
            error={checked && wrong ? t('settings.wrong', { n: mostLikes }) : undefined}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => setChecked(true)}
            frameClassName="max-w-72"
          />
        )}
        <Button type="submit" busy={change.isPending} className="justify-self-start">
          {t('settings.save')}
        </Button>
      </form>
    </Card>
  )
}
