import { promptIds } from '@duet/contract/catalogue.ts'
import { limits } from '@duet/contract/limits.ts'
import { excessOf, isVisible } from '@duet/contract/written-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/form/chip.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { useKeptEdits } from './kept-edits.ts'
import { type ProfileStepProps, useSave } from './profile-step.ts'
import { StepFrame } from './step-frame.tsx'

type PromptId = (typeof promptIds)[number]

const fewPrompts = 6

export function PromptsStep(props: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'profiles', 'sign-up'])
  const { details, onNext, onBack } = props
  const { busy, error, setError, save } = useSave(props)
  const [first = { prompt: promptIds[0], answer: '' }, ...others] = details.prompts
  const { fields, wanted, set } = useEdits({ first }, useKeptEdits('prompt', { first }))
  const { prompt, answer } = fields.first
  const taken = new Set(others.map((item) => item.prompt))
  const next = () => {
    if (!isVisible(answer)) return setError(t('prompts.missing'))
    if (excessOf(answer, limits.promptAnswerLength) > 0) return
    return wanted.first ? save({ prompts: [{ prompt, answer: answer.trim() }, ...others] }) : onNext()
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
      <PromptChips
        free={promptIds.filter((id) => !taken.has(id))}
        chosen={prompt}
        onChoose={(id) => set({ first: { prompt: id, answer } })}
      />
      <TextArea
        label={t(`profiles:prompts.${prompt}`)}
        hint={t('sign-up:sample', { answer: t(`sign-up:samples.${prompt}`) })}
        rows={3}
        maxLength={limits.promptAnswerLength}
        value={answer}
        onChange={(event) => {
          set({ first: { prompt, answer: event.target.value } })
          setError(undefined)
        }}
        className="font-display text-xl"
        frameClassName="mt-6"
      />
    </StepFrame>
  )
}

interface PromptChipsProps {
  free: readonly PromptId[]
  chosen: PromptId
  onChoose: (id: PromptId) => void
}

function PromptChips({ free, chosen, onChoose }: PromptChipsProps) {
  const { t } = useTranslation(['profiles', 'sign-up'])
  const [showsAll, setShowsAll] = useState(false)
  const few = free.slice(0, fewPrompts)
  const offered = showsAll ? free : few.includes(chosen) ? few : [chosen, ...few.slice(1)]
  return (
    <fieldset>
      <legend className="mb-2.5 text-s font-[540] text-ink-2">{t('sign-up:choosePrompt')}</legend>
      <div className="flex flex-wrap gap-2.5">
        {offered.map((id) => (
          <Chip key={id} pressed={id === chosen} onClick={() => onChoose(id)}>
            {t(`prompts.${id}`)}
          </Chip>
        ))}
        {!showsAll && free.length > few.length && (
          <Button variant="text" size="s" onClick={() => setShowsAll(true)}>
            {t('sign-up:morePrompts', { count: free.length - few.length })}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
