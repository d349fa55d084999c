import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { Lock } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { ChoiceCard } from '../../ui/form/choice-card.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { AcceptsField, ImportanceField } from './answer-fields.tsx'
import { type Question, useAnswerQuestion } from './questions.api.ts'

interface QuestionFormProps {
  question: Question
  /** What was answered before. */
  answer: QuestionAnswer | undefined
  /** What the button says. */
  act: string
  onSaved: () => void
  /** Unset where there is nothing to skip to. */
  onSkip?: (() => void) | undefined
}

/** One question: my answer, and once there is one, what I accept from others and how much it matters. */
export function QuestionForm({ question, answer, act, onSaved, onSkip }: QuestionFormProps) {
  const { t } = useTranslation('questions')
  const heading = useRef<HTMLHeadingElement>(null)
  const asked = useId()
  const form = useAnswerForm(question, answer, onSaved)
  const wishes = useInSight<HTMLDivElement>(form.draft.choice !== undefined && !answer)
  useEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-1 animate-fade flex-col">
      <h1 id={asked} ref={heading} tabIndex={-1} className="display text-[34px] wrap-break-word sm:text-[38px]">
        {t(`catalogue.${question.id}.ask`)}
      </h1>
      <div role="radiogroup" aria-labelledby={asked} className="mt-7 grid gap-2.5">
        {question.choices.map((choice) => (
          <ChoiceCard
            key={choice}
            name={question.id}
            checked={form.draft.choice === choice}
            onChange={() => form.change({ choice })}
            label={t(`catalogue.${question.id}.choices.${choice}`)}
          />
        ))}
      </div>
      {form.draft.choice && (
        <div ref={wishes} className="mt-8 grid scroll-mb-46 animate-arrive gap-7 sm:scroll-mb-28">
          <AcceptsField
            question={question}
            value={form.draft.accepts}
            onChange={(accepts) => form.change({ accepts })}
            irrelevant={form.draft.importance === 'irrelevant'}
          />
          <ImportanceField value={form.draft.importance} onChange={(importance) => form.change({ importance })} />
        </div>
      )}
      <p className="mt-8 flex items-start gap-2.5 text-s text-ink-2">
        <Lock aria-hidden="true" className="mt-0.5 size-4.5" />
        {t('private')}
      </p>
      <div className="sticky bottom-[calc(var(--tabs)+env(safe-area-inset-bottom))] mt-auto -mx-6 grid gap-2 bg-paper px-6 pt-4 pb-4 sm:pb-6">
        <FormError>{form.problem}</FormError>
        <div className="flex gap-3">
          {onSkip && (
            <Button variant="quiet" size="l" onClick={form.isOpen ? form.takeAny : onSkip}>
              {t(form.isOpen ? 'anyIsFine' : 'skip')}
            </Button>
          )}
          <Button type="submit" size="l" busy={form.busy} className="flex-1">
            {act}
          </Button>
        </div>
      </div>
    </form>
  )
}

/** Brings what has just appeared below the fold into sight. */
function useInSight<E extends HTMLElement>(appeared: boolean) {
  const element = useRef<E>(null)
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (appeared) element.current?.scrollIntoView({ block: 'nearest', behavior: still ? 'auto' : 'smooth' })
  }, [appeared])
  return element
}

type Draft = Omit<QuestionAnswer, 'question' | 'choice'> & { choice?: string }

function useAnswerForm(question: Question, answer: QuestionAnswer | undefined, onSaved: () => void) {
  const { t } = useTranslation('questions')
  const [draft, setDraft] = useState<Draft>(answer ?? { accepts: [], importance: 'somewhat' })
  const [missing, setMissing] = useState<'choiceMissing' | 'acceptsMissing'>()
  const save = useAnswerQuestion()
  const change = (part: Partial<Draft>) => {
    setMissing(undefined)
    setDraft((before) => ({ ...before, ...part }))
  }
  const keep = ({ choice, accepts, importance }: Draft) => {
    if (!choice) return setMissing('choiceMissing')
    if (importance !== 'irrelevant' && accepts.length === 0) return setMissing('acceptsMissing')
    if (!save.isPending) save.mutate({ question: question.id, choice, accepts, importance }, { onSuccess: onSaved })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep(draft)
  }
  // My answer is there and nothing is said of theirs: one tap says that it doesn't matter, and goes on.
  const isOpen = draft.choice !== undefined && draft.accepts.length === 0 && draft.importance !== 'irrelevant'
  const takeAny = () => keep({ ...draft, importance: 'irrelevant' })
  const problem = missing ? t(missing) : save.isError ? t('saveFailed') : undefined
  return { draft, change, submit, isOpen, takeAny, problem, busy: save.isPending }
}
