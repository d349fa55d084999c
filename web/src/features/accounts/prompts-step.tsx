import { promptIds } from '@duet/contract/catalogue.ts'
import { limits } from '@duet/contract/limits.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { type ProfileStepProps, useSave } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

type PromptId = (typeof promptIds)[number]
const isPromptId = (value: string): value is PromptId => promptIds.some((id) => id === value)

/** One answer to begin with; more can follow on the own profile. */
export function PromptsStep(props: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'profiles'])
  const { details, onNext, onBack } = props
  const { busy, error, setError, save } = useSave(props)
  const [first, ...others] = details.prompts
  const [prompt, setPrompt] = useState<PromptId>(first?.prompt ?? promptIds[0])
  const [answer, setAnswer] = useState(first?.answer ?? '')
  const taken = new Set(others.map((item) => item.prompt))
  const free = promptIds.filter((id) => !taken.has(id))
  const next = () => {
    if (!answer.trim()) return setError(t('prompts.missing'))
    return save({ prompts: [{ prompt, answer: answer.trim() }, ...others] })
  }
  return (
    <StepFrame
      step="prompts"
      title={t('prompts.title')}
      lead={t('prompts.lead')}
      onContinue={next}
      onSkip={onNext}
      {...{ onBack, busy, error }}
    >
      <div className="grid gap-5">
        <Select
          label={t('prompts.about')}
          value={prompt}
          options={free.map((id) => ({ value: id, label: t(`profiles:prompts.${id}`) }))}
          onChange={(event) => isPromptId(event.target.value) && setPrompt(event.target.value)}
        />
        <TextArea
          label={t('prompts.answer')}
          rows={4}
          maxLength={limits.promptAnswerLength}
          value={answer}
          onChange={(event) => {
            setAnswer(event.target.value)
            setError(undefined)
          }}
          className="font-display text-xl"
        />
      </div>
    </StepFrame>
  )
}
