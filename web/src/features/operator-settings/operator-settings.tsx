import { latinDigits } from '@duet/contract/digits.ts'
import type { OperatorSettings } from '@duet/contract/settings.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Conflicts } from '../../ui/form/conflicts.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { Section } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useChangeSettings, useOperatorSettings } from './operator-settings.api.ts'

/** The highest limit that the server accepts, and the field's initial value if there is no limit. */
const mostLikes = 1000
const usualLikes = 100

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

/** The switch and the number form one field, so that they are saved together and conflict together. */
const fieldsOf = (dailyLikes: number | null, last: string) => ({
  dailyLikes: { limited: dailyLikes !== null, text: dailyLikes === null ? last : String(dailyLikes) },
})

function LikesForm({ settings: { dailyLikes } }: { settings: OperatorSettings }) {
  const { t, i18n } = useTranslation('insights')
  // Remember the last number, so that turning the limit back on restores it.
  const [last, setLast] = useState(String(dailyLikes ?? usualLikes))
  const { fields, changes, conflicts, set, keep, take, settle } = useEdits(fieldsOf(dailyLikes, last))
  const { limited, text } = fields.dailyLikes
  const [checked, setChecked] = useState(false)
  const change = useChangeSettings()
  const savedText = dailyLikes === null ? t('settings.unlimited') : dailyLikes.toLocaleString(i18n.language)
  const wrong = limited && !isAllowed(text.trim())
  const save = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (wrong || conflicts.length > 0) return
    // If nothing was edited, don't send anything: another administrator may have saved changes in the meantime.
    if (!changes.dailyLikes) return toast.success(t('settings.saved'))
    change.mutate(
      { dailyLikes: limited ? Number(text) : null },
      {
        onSuccess: (next) => {
          setLast(text)
          settle(changes, fieldsOf(next.dailyLikes, text))
          toast.success(t('settings.saved'))
        },
        onError: () => toast.error(t('settings.notSaved')),
      },
    )
  }
  return (
    <Card>
      <form noValidate onSubmit={save} className="grid gap-5">
        <Switch
          label={t('settings.limited')}
          hint={t('settings.limitedHint')}
          checked={limited}
          onChange={(on) => set({ dailyLikes: { limited: on, text } })}
        />
        {limited && (
          <Field
            inputMode="numeric"
            autoComplete="off"
            label={t('settings.dailyLikes')}
            hint={t('settings.dailyLikesHint', { n: mostLikes })}
            error={checked && wrong ? t('settings.wrong', { n: mostLikes }) : undefined}
            value={text}
            onChange={(event) => set({ dailyLikes: { limited, text: latinDigits(event.target.value) } })}
            onBlur={() => setChecked(true)}
            frameClassName="max-w-72"
          />
        )}
        <Conflicts
          conflicts={conflicts.map((key) => ({ key, label: t('settings.likes'), saved: savedText }))}
          onKeep={keep}
          onTake={take}
        />
        <Button type="submit" busy={change.isPending} className="justify-self-start">
          {t('settings.save')}
        </Button>
      </form>
    </Card>
  )
}
