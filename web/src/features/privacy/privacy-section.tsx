import type { Privacy } from '@duet/contract/privacy.ts'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'
import { type PrivacyChanges, useChangePrivacy, usePrivacySettings } from './change-privacy.api.ts'
import { HiddenWords } from './hidden-words-field.tsx'

const policies = ['everyone', 'liked_or_matched', 'verified', 'with_photo'] as const
const switches = ['incognito', 'hideDistance', 'hidePresence', 'blurPhotos'] as const

const unknown: Privacy = {
  whoMayMessage: 'everyone',
  incognito: false,
  hideDistance: false,
  hidePresence: false,
  blurPhotos: false,
  hiddenWords: [],
}

export function PrivacySection() {
  const { t } = useTranslation('privacy')
  const { data, isError, isFetching, refetch } = usePrivacySettings()
  return (
    <>
      {data && <Settings privacy={data} />}
      {!data && isError && (
        <Card>
          <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
        </Card>
      )}
      {!data && !isError && (
        <SkeletonOf>
          <Settings privacy={unknown} />
        </SkeletonOf>
      )}
    </>
  )
}

function Settings({ privacy }: { privacy: Privacy }) {
  const { t } = useTranslation('privacy')
  const change = useChangePrivacy()
  const save = (changes: PrivacyChanges) =>
    change(changes).then(
      () => true,
      () => {
        toast.error(t('notSaved'))
        return false
      },
    )
  return (
    <Card className="divide-y divide-line">
      <Select
        id="whoMayMessage"
        label={t('whoMayMessage.label')}
        hint={t('whoMayMessage.hint')}
        value={privacy.whoMayMessage}
        frameClassName="pb-4"
        options={policies.map((value) => ({ value, label: t(`whoMayMessage.${value}`) }))}
        onChange={({ target }) => {
          const policy = policies.find((value) => value === target.value)
          if (policy) void save({ whoMayMessage: policy })
        }}
      />
      {switches.map((name) => (
        <Switch
          key={name}
          id={name}
          className="py-3.5"
          label={t(`${name}.label`)}
          hint={t(`${name}.hint`)}
          checked={privacy[name]}
          onChange={(on) => void save({ [name]: on })}
        />
      ))}
      <HiddenWords
        words={privacy.hiddenWords}
        onHide={(word) => save({ hideWord: word })}
        onUnhide={(word) => void save({ unhideWord: word })}
      />
    </Card>
  )
}
