import { promptIds } from '@duet/contract/catalogue.ts'
import { limits } from '@duet/contract/limits.ts'
import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { ProfileFields } from './profile-fields.ts'

type Prompts = ProfileFields['prompts']
type Answer = Prompts[number]

interface PromptsFieldProps {
  value: Prompts
  onChange: (prompts: Prompts) => void
}

export function PromptsField({ value, onChange }: PromptsFieldProps) {
  const { t } = useTranslation('profiles')
  const free = promptIds.filter((id) => !value.some(({ prompt }) => prompt === id))
  const put = (index: number, answer: Answer) => onChange(value.with(index, answer))
  const add = () => free[0] && onChange([...value, { prompt: free[0], answer: '' }])
  return (
    <div className="grid gap-5">
      {value.map((answer, index) => (
        <PromptAnswer
          key={answer.prompt}
          {...{ answer, free }}
          onChange={(next) => put(index, next)}
          onRemove={() => onChange(value.toSpliced(index, 1))}
        />
      ))}
      {value.length < limits.prompts && (
        <Button variant="quiet" icon={<Plus aria-hidden="true" />} onClick={add} className="justify-self-start">
          {t('addPrompt')}
        </Button>
      )}
    </div>
  )
}

interface PromptAnswerProps {
  answer: Answer
  free: readonly Answer['prompt'][]
  onChange: (answer: Answer) => void
  onRemove: () => void
}

function PromptAnswer({ answer, free, onChange, onRemove }: PromptAnswerProps) {
  const { t } = useTranslation(['profiles', 'catalogue'])
  const choices = [answer.prompt, ...free]
  const choose = (value: string) => {
    const prompt = choices.find((id) => id === value)
    if (prompt) onChange({ ...answer, prompt })
  }
  return (
    <div className="grid gap-3 rounded-l bg-surface p-4 shadow-one">
      <div className="flex items-end gap-2">
        <Select
          label={t('prompt')}
          frameClassName="min-w-0 flex-1"
          value={answer.prompt}
          onChange={({ target }) => choose(target.value)}
          options={choices.map((id) => ({ value: id, label: t(`prompts.${id}`) }))}
        />
        <IconButton label={t('removePrompt')} icon={<Trash2 aria-hidden="true" />} onClick={onRemove} />
      </div>
      <TextArea
        label={t('answer')}
        maxLength={limits.promptAnswerLength}
        value={answer.answer}
        onChange={({ target }) => onChange({ ...answer, answer: target.value })}
        className="font-display text-xl"
      />
    </div>
  )
}
