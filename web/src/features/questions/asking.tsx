import { questionTopics } from '@duet/contract/question-catalogue.ts'
import { ChevronLeft } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, navigate, useAddress } from '../../platform/address/address.tsx'
import type { CallResponse } from '../../platform/call.ts'
import { LinkButton } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Progress } from '../../ui/progress.tsx'
import { End } from './end.tsx'
import { enough, nextOpen, progressByTopic, questionAddress, type Topic } from './order.ts'
import { QuestionForm } from './question-form.tsx'

type Questions = CallResponse<'GET /api/questions'>

export const frame =
  'mx-auto flex min-h-[calc(100dvh-var(--bar)-var(--tabs)-env(safe-area-inset-bottom))] w-full max-w-115 flex-col px-6 pt-3 sm:pt-6'

// The question is in the URL, so that Back returns to the previous question.
export function Asking({ questions, answers, topic }: Questions & { topic: Topic | undefined }) {
  const { t } = useTranslation('questions')
  const { search, state } = useAddress()
  const progress = useId()
  const changing = state === 'changing'
  const id = search.get('question') ?? undefined
  const question = questions.find((one) => one.id === id)
  const topics = progressByTopic(questionTopics, questions, answers)
  const asked = topics.find((one) => one.topic === topic)?.questions ?? questions
  const answer = answers.find((one) => one.question === id)
  const goOn = () => navigate(questionAddress(nextOpen(asked, answers, id) ?? 'end', topic))
  const onSaved = () => {
    if (changing) return navigate('/questions?view=answers')
    if (!topic && !answer && answers.length + 1 === enough) return navigate(questionAddress('enough'))
    goOn()
  }
  return (
    <div className={frame}>
      <PageTitle>{t('title')}</PageTitle>
      <Head id={progress} {...{ questions: asked, answers, topic }} />
      {question ? (
        <QuestionForm
          key={question.id}
          describedBy={progress}
          {...{ question, answer, changing, onSaved }}
          onSkip={changing ? undefined : goOn}
        />
      ) : (
        <End isEnough={id === 'enough'} open={nextOpen(asked, answers)} {...{ topic, topics }} />
      )}
    </div>
  )
}

function Head({ id, questions, answers, topic }: Questions & { id: string; topic: Topic | undefined }) {
  const { t } = useTranslation('questions')
  const total = questions.length
  const answered = answers.filter(({ question }) => questions.some((one) => one.id === question)).length
  // Before the first goal is reached, progress counts toward that goal; afterwards, toward all questions.
  const isBeginning = !topic && answered < enough && total > enough
  const max = isBeginning ? enough : total
  const count = t(isBeginning ? 'toBegin' : 'progress', { answered, total: max })
  return (
    <header className="mb-8 sm:mb-10">
      <div className="-ms-3 flex items-center gap-1">
        <BackLink />
        <p id={id} className="min-w-0 text-s text-ink-2">
          {topic && <span className="font-[620] text-ink">{t(`topics.${topic}`)} · </span>}
          <span className="tabular-nums">{count}</span>
        </p>
        <LinkButton to="/questions" variant="text" className="ms-auto -me-5 flex-none">
          {t('allTopics')}
        </LinkButton>
      </div>
      <Progress value={answered} max={max} label={count} className="mt-3" />
    </header>
  )
}

function BackLink() {
  const { t } = useTranslation('questions')
  const { depth } = useAddress()
  const back = (event: { preventDefault(): void }) => {
    if (depth === 0) return
    event.preventDefault()
    window.history.back()
  }
  return (
    <Link
      to="/questions"
      onClick={back}
      aria-label={t('back')}
      className="grid size-11 flex-none place-items-center rounded-full text-ink-2 transition hover:bg-sunken hover:text-ink"
    >
      <ChevronLeft aria-hidden="true" className="mirror" />
    </Link>
  )
}
