import { questionTopics } from '@duet/contract/question-catalogue.ts'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../platform/address/address.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AnsweredList } from './answered-list.tsx'
import { Asking, frame } from './asking.tsx'
import { Overview } from './overview.tsx'
import { useQuestions } from './questions.api.ts'

/**
 * The /questions screen. It shows the topics, one question (`?question=…`) or my answers (`?view=answers`). Questions
 * and answers can be limited to a `topic`.
 */
export default function QuestionsScreen() {
  const { t } = useTranslation('questions')
  const { search } = useAddress()
  const { data, isError, isFetching, refetch } = useQuestions()
  const topic = questionTopics.find((one) => one === search.get('topic'))
  if (!data && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return search.has('question') ? <WaitingForQuestion /> : <Waiting />
  if (search.get('view') === 'answers') return <AnsweredList {...data} topic={topic} />
  if (search.has('question')) return <Asking {...data} topic={topic} />
  return <Overview {...data} />
}

function Waiting() {
  const { t } = useTranslation('questions')
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Skeleton className="h-46 rounded-l sm:h-29" />
      <div aria-hidden="true" className="mt-12 grid gap-3 sm:grid-cols-2">
        {questionTopics.map((topic) => (
          <Skeleton key={topic} className="h-23 rounded-l" />
        ))}
      </div>
    </Page>
  )
}

function WaitingForQuestion() {
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
