import { sensitiveQuestions } from '@duet/contract/question-catalogue.ts'
import type { Importance, QuestionAnswer } from '@duet/contract/questions.ts'
import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { ChoiceCard } from '../../ui/form/choice-card.tsx'
import { FormError } from '../../ui/form/error-text.tsx'
import { useEdits } from '../../ui/form/use-edits.ts'
import { AcceptsField, ImportanceField } from './answer-fields.tsx'
import { type Question, useAnswerQuestion } from './questions.api.ts'

interface QuestionFormProps {
  question: Question
  answer: QuestionAnswer | undefined
  /** True when editing an earlier answer. It is then saved only by the Save button. */
  changing: boolean
  describedBy: string
  onSaved: () => void
  /** Undefined if there is no other question to skip to. */
  onSkip?: (() => void) | undefined
}

export function QuestionForm({ question, answer, changing, describedBy, onSaved, onSkip }: QuestionFormProps) {
  const { t } = useTranslation('questions')
  const heading = useRef<HTMLHeadingElement>(null)
  const asked = useId()
  const form = useAnswerForm({ question, answer, changing, onSaved })
  const { choice, importance } = form.draft
  const matters = importance !== undefined && importance !== 'irrelevant'
  const weighing = useInSight<HTMLDivElement>(choice !== undefined && !answer)
  const accepting = useInSight<HTMLDivElement>(matters && !answer)
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <form noValidate onSubmit={form.submit} className="flex flex-1 animate-fade flex-col">
      <h1
        id={asked}
        ref={heading}
        tabIndex={-1}
        aria-describedby={describedBy}
        className="display text-[34px] wrap-break-word sm:text-[38px]"
      >
        {t(`catalogue.${question.id}.ask`)}
      </h1>
      {sensitiveQuestions.some((id) => id === question.id) && (
        <p className="mt-3 text-s text-ink-2">{t('sensitive')}</p>
      )}
      <div role="radiogroup" aria-labelledby={asked} className="mt-7 grid gap-2.5">
        {question.choices.map((one) => (
          <ChoiceCard
            key={one}
            name={question.id}
            checked={choice === one}
            onChange={() => form.choose(one)}
            label={t(`catalogue.${question.id}.choices.${one}`)}
          />
        ))}
      </div>
      {choice && (
        <div ref={weighing} className="mt-8 scroll-mb-46 animate-arrive pb-3 sm:scroll-mb-28">
          <ImportanceField value={importance} hint={changing ? undefined : t('mattersHint')} onChoose={form.weigh} />
        </div>
      )}
      {choice && matters && (
        <div ref={accepting} className="mt-4 scroll-mb-46 animate-arrive pb-3 sm:scroll-mb-28">
          <AcceptsField question={question} value={form.draft.accepts} onChange={form.accept} />
        </div>
      )}
      <div className="sticky bottom-[calc(var(--tabs)+env(safe-area-inset-bottom))] mt-auto -mx-6 grid gap-2 bg-paper px-6 pt-4 pb-4 sm:mt-4 sm:pb-6">
        <FormError>{form.problem}</FormError>
        <div className="flex gap-3">
          {onSkip && (
            <Button variant="quiet" size="l" onClick={onSkip}>
              {t('skip')}
            </Button>
          )}
          <Button type="submit" size="l" busy={form.busy} className="flex-1">
            {t(changing ? 'save' : 'next')}
          </Button>
        </div>
      </div>
    </form>
  )
}

function useInSight<E extends HTMLElement>(appeared: boolean) {
  const element = useRef<E>(null)
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (appeared) element.current?.scrollIntoView({ block: 'nearest', behavior: still ? 'auto' : 'smooth' })
  }, [appeared])
  return element
}

interface Draft {
  choice: string | undefined
  importance: Importance | undefined
  accepts: readonly string[]
}
type Missing = 'choiceMissing' | 'importanceMissing' | 'acceptsMissing'

function whatIsMissing({ choice, importance, accepts }: Draft): Missing | undefined {
  if (!choice) return 'choiceMissing'
  if (!importance) return 'importanceMissing'
  return importance !== 'irrelevant' && accepts.length === 0 ? 'acceptsMissing' : undefined
}

/** By default, only my own answer is accepted from others. */
function acceptsOf({ accepts, choice }: Draft): readonly string[] {
  return accepts.length > 0 || !choice ? accepts : [choice]
}

function useAnswerForm({ question, answer, changing, onSaved }: Omit<QuestionFormProps, 'describedBy' | 'onSkip'>) {
  const { t } = useTranslation('questions')
  const { fields: draft, set } = useEdits<Draft>({ choice: undefined, importance: undefined, accepts: [], ...answer })
  const [missing, setMissing] = useState<Missing>()
  const save = useAnswerQuestion()
  const change = (next: Draft) => {
    setMissing(undefined)
    set(next)
  }
  const keep = (next: Draft) => {
    const { choice = '', importance = 'irrelevant' } = next
    const accepts = importance === 'irrelevant' ? [] : [...next.accepts]
    const lacking = whatIsMissing(next)
    setMissing(lacking)
    if (lacking || save.isPending) return
    save.mutate({ question: question.id, choice, accepts, importance }, { onSuccess: onSaved })
  }
  const choose = (choice: string) => {
    // If only my own answer was accepted, update the accepted answer with it.
    const follows = draft.accepts.length === 1 && draft.accepts[0] === draft.choice
    change({ ...draft, choice, accepts: follows && !answer ? [choice] : draft.accepts })
  }
  const weigh = (importance: Importance) => {
    const matters = importance !== 'irrelevant'
    const next = { ...draft, importance, ...(matters && { accepts: acceptsOf(draft) }) }
    change(next)
    // Save immediately, because there is nothing else to fill in.
    if (!matters && !changing) keep(next)
  }
  const accept = (accepts: string[]) => change({ ...draft, accepts })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    keep(draft)
  }
  const problem = missing ? t(missing) : save.isError ? t('saveFailed') : undefined
  return { draft, choose, weigh, accept, submit, problem, busy: save.isPending }
}
