import type { Gender } from '@duet/contract/accounts.ts'
import { genders, intents, limits } from '@duet/contract/limits.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '../../ui/chip.tsx'
import { ChoiceCard } from '../../ui/choice-card.tsx'
import { Field } from '../../ui/field.tsx'
import { type ProfileStepProps, useSave } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

const toggled = <V,>(list: readonly V[], value: V): V[] =>
  list.includes(value) ? list.filter((item) => item !== value) : [...list, value]

/** Gender, in a choice and in own words; and whom to meet. */
export function WhoStep(props: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const { details, onNext } = props
  const { busy, error, setError, save } = useSave(props)
  const [gender, setGender] = useState<Gender | null>(details.gender)
  const [interestedIn, setInterestedIn] = useState<Gender[]>(details.interestedIn)
  const [genderText, setGenderText] = useState(details.genderText)
  const [pronouns, setPronouns] = useState(details.pronouns)
  const isMissing = !gender || interestedIn.length === 0
  // A complaint about what is missing goes once it is there.
  useEffect(() => {
    if (!isMissing) setError(undefined)
  }, [isMissing, setError])
  const next = () => {
    if (isMissing) return setError(t('who.missing'))
    return save({ gender, interestedIn, genderText: genderText.trim(), pronouns: pronouns.trim() })
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
            onChange={() => setGender(value)}
            label={t(`gender.${value}`)}
          />
        ))}
      </fieldset>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        <Field
          label={t('who.ownWords')}
          maxLength={limits.genderTextLength}
          value={genderText}
          onChange={(event) => setGenderText(event.target.value)}
        />
        <Field
          label={t('who.pronouns')}
          maxLength={limits.pronounsLength}
          value={pronouns}
          onChange={(event) => setPronouns(event.target.value)}
        />
      </div>
      <fieldset className="mt-7">
        <legend className="mb-2.5 text-s font-[540] text-ink-2">{t('who.meet')}</legend>
        <div className="flex flex-wrap gap-2.5">
          {genders.map((value) => (
            <Chip
              key={value}
              pressed={interestedIn.includes(value)}
              onClick={() => setInterestedIn(toggled(interestedIn, value))}
            >
              {t(`meet.${value}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
    </StepFrame>
  )
}

/** What they hope for. */
export function IntentStep(props: ProfileStepProps) {
  const { t } = useTranslation('accounts')
  const { details, onNext, onBack } = props
  const { busy, error, setError, save } = useSave(props)
  const [chosen, setChosen] = useState<MyDetails['intents']>(details.intents)
  const next = () => (chosen.length === 0 ? setError(t('intent.missing')) : save({ intents: chosen }))
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
              setChosen(toggled(chosen, value))
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
