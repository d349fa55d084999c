import { genders, intents, limits } from '@duet/contract/limits.ts'
import type { MyDetails, ProfileChanges } from '@duet/contract/profiles.ts'
import { asLine, excessOf } from '@duet/contract/written-text.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/form/chip.tsx'
import { ChoiceCard } from '../../ui/form/choice-card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { useKeptEdits } from './kept-edits.ts'
import { type ProfileStepProps, useSave } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

const toggled = <V,>(list: readonly V[], value: V): V[] =>
  list.includes(value) ? list.filter((item) => item !== value) : [...list, value]

const whoOf = ({ gender, interestedIn, genderText, pronouns }: MyDetails) => ({
  gender,
  interestedIn,
  genderText,
  pronouns,
})

export function WhoStep(props: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'profiles'])
  const { details, onNext } = props
  const { busy, error, setError, save } = useSave(props)
  const saved = whoOf(details)
  const { fields, wanted, set } = useEdits(saved, useKeptEdits('who', saved))
  const { gender, interestedIn, genderText, pronouns } = fields
  const isMissing = !gender || interestedIn.length === 0
  useEffect(() => {
    if (!isMissing) setError(undefined)
  }, [isMissing, setError])
  const next = () => {
    if (isMissing) return setError(t('who.missing'))
    const isLong =
      excessOf(genderText, limits.genderTextLength, asLine) + excessOf(pronouns, limits.pronounsLength, asLine) > 0
    if (isLong) return
    return save(wanted as ProfileChanges)
  }
  return (
    <StepFrame
      step="who"
      title={t('who.title')}
      lead={t('who.lead')}
      onContinue={next}
      onSkip={onNext}
      {...{ busy, error }}
    >
      <fieldset className="grid gap-2.5">
        <legend className="mb-2 text-s font-[540] text-ink-2">{t('who.iAm')}</legend>
        {genders.map((value) => (
          <ChoiceCard
            key={value}
            name="gender"
            checked={gender === value}
            onChange={() => set({ gender: value })}
            label={t(`gender.${value}`)}
          />
        ))}
      </fieldset>
      <fieldset className="mt-7">
        <legend className="mb-2.5 text-s font-[540] text-ink-2">{t('who.meet')}</legend>
        <div className="flex flex-wrap gap-2.5">
          {genders.map((value) => (
            <Chip
              key={value}
              pressed={interestedIn.includes(value)}
              onClick={() => set({ interestedIn: toggled(interestedIn, value) })}
            >
              {t(`meet.${value}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
      <div className="mt-7 grid gap-4 sm:grid-cols-2">
        <Field
          label={t('who.ownWords')}
          hint={t('profiles:optional')}
          maxLength={limits.genderTextLength}
          value={genderText}
          onChange={(event) => set({ genderText: event.target.value })}
        />
        <Field
          label={t('who.pronouns')}
          hint={t('profiles:optional')}
          maxLength={limits.pronounsLength}
          value={pronouns}
          onChange={(event) => set({ pronouns: event.target.value })}
        />
      </div>
    </StepFrame>
  )
}

export function IntentStep(props: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const { details, onNext, onBack } = props
  const { busy, error, setError, save } = useSave(props)
  const saved = { intents: details.intents }
  const { fields, wanted, set } = useEdits(saved, useKeptEdits('intent', saved))
  const chosen = fields.intents
  const next = () => (chosen.length === 0 ? setError(t('intent.missing')) : save(wanted))
  return (
    <StepFrame
      step="intent"
      title={t('intent.title')}
      lead={t('intent.lead')}
      onContinue={next}
      onSkip={onNext}
      {...{ onBack, busy, error }}
    >
      <div className="grid gap-2.5">
        {intents.map((value) => (
          <ChoiceCard
            key={value}
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={() => {
              set({ intents: toggled(chosen, value) })
              setError(undefined)
            }}
            label={t(`intent.${value}.label`)}
            hint={t(`intent.${value}.hint`)}
          />
        ))}
      </div>
    </StepFrame>
  )
}
