import { ChevronLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, navigate, useAddress } from '../../platform/address.tsx'
import type { CallResponse } from '../../platform/call.ts'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AnsweredList } from './answered-list.tsx'
import { nextOpen, whereToGoOn } from './order.ts'
import { QuestionForm } from './question-form.tsx'
import { useQuestions } from './questions.api.ts'

type Questions = CallResponse<'GET /api/questions'>

/** /questions: one question at a time, and with `?view=answers` what was answered. */
export default function QuestionsScreen() {
  const { t } = useTranslation('questions')
  const { search } = useAddress()
  const { data, isError, isFetching, refetch } = useQuestions()
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Waiting />
  if (search.get('view') === 'answers') return <AnsweredList {...data} />
  return <Asking {...data} />
}

/** Answers that are enough to see where two people agree; the profile counts as complete with them. */
const enough = 10

const frame =
  'mx-auto flex min-h-[calc(100dvh-var(--bar)-var(--tabs)-env(safe-area-inset-bottom))] w-full max-w-115 flex-col px-6 pt-3 sm:pt-6'

// The question is in the address, so that the way back leads through what was asked before.
function Asking({ questions, answers }: Questions) {
  const { t } = useTranslation('questions')
  const { search, state } = useAddress()
  const changing = state === 'changing'
  const id = search.get('question') ?? whereToGoOn(questions, answers)
  const question = questions.find((one) => one.id === id)
  const goOn = () => {
    const next = nextOpen(questions, answers, id)
    navigate(changing ? '/questions?view=answers' : `/questions?question=${next ?? 'end'}`)
  }
  return (
    <div className={frame}>
      <PageTitle>{t('title')}</PageTitle>
      <Head answered={answers.length} total={questions.length} />
      {question ? (
        <QuestionForm
          key={question.id}
          question={question}
          answer={answers.find((answer) => answer.question === id)}
          act={changing ? t('save') : t('next')}
          onSaved={goOn}
          onSkip={changing ? undefined : goOn}
        />
      ) : (
        <End open={nextOpen(questions, answers)} />
      )}
    </div>
  )
}

function Head({ answered, total }: { answered: number; total: number }) {
  const { t } = useTranslation('questions')
  // So few are asked for at first; only behind them does the number of all of them show.
  const isBeginning = answered < enough && total > enough
  const max = isBeginning ? enough : total
  const words = answered === enough && total > enough ? 'enough' : 'progress'
  const progress = t(isBeginning ? 'toBegin' : words, { answered, total: max })
  return (
    <header className="mb-8 sm:mb-10">
      <div className="-ms-3 flex items-center gap-1">
        <BackLink />
        <span className="text-s text-ink-2">{progress}</span>
        <LinkButton to="/questions?view=answers" variant="text" className="ms-auto -me-5">
          {t('yourAnswers')}
        </LinkButton>
      </div>
      <Progress value={answered} max={max} label={progress} className="mt-3" />
    </header>
  )
}

/** To the question before; to the own profile when the visit began here. */
function BackLink() {
  const { t } = useTranslation('questions')
  const { depth } = useAddress()
  const id = useSession(({ user }) => user?.id ?? '')
  const back = (event: { preventDefault(): void }) => {
    if (depth === 0) return
    event.preventDefault()
    window.history.back()
  }
  return (
    <Link
      to={`/profile/${id}`}
      onClick={back}
      aria-label={t('back')}
      className="grid size-11 flex-none place-items-center rounded-full text-ink-2 transition hover:bg-sunken hover:text-ink"
    >
      <ChevronLeft aria-hidden="true" className="mirror" />
    </Link>
  )
}

/** Behind the last question; `open` is the first that was skipped. */
function End({ open }: { open: string | undefined }) {
  const { t } = useTranslation('questions')
  const act = open ? (
    <LinkButton to={`/questions?question=${open}`} size="l">
      {t('goThroughSkipped')}
    </LinkButton>
  ) : (
    <LinkButton to="/home" size="l">
      {t('toHome')}
    </LinkButton>
  )
  return (
    <div className="grid flex-1 animate-fade content-center justify-items-center pb-24 text-center">
      <h1 className="display text-2xl">{t('endTitle')}</h1>
      <EmptyState figure="people" text={t(open ? 'endSkipped' : 'endAll')} action={act} />
    </div>
  )
}

function Waiting() {
  return (
    <div aria-hidden="true" className={frame}>
      <Skeleton className="h-11" />
      <Skeleton className="mt-12 h-20" />
      <div className="mt-7 grid gap-2.5">
        <Skeleton className="h-15 rounded-m" />
        <Skeleton className="h-15 rounded-m" />
        <Skeleton className="h-15 rounded-m" />
      </div>
    </div>
  )
}
