import type { MatchingRules } from '@duet/contract/matching.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createQueryClient } from '../../platform/query/query-client.ts'
import { useSession } from '../../platform/session.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Page, PublicPage } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useMatchingRules } from './matching.api.ts'
import { isSayable, type RulePartName, ruleParts, ruleValues } from './rule-words.ts'
import { Weights } from './weights.tsx'

/** The public page /how-matching-works. It has its own query cache. */
export default function MatchingScreen() {
  const { t } = useTranslation('matching')
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <PublicPage>
        <Page title={t('title')} lead={t('lead')}>
          <Rules />
        </Page>
      </PublicPage>
    </QueryClientProvider>
  )
}

function Rules() {
  const { t, i18n } = useTranslation('matching')
  const { data: rules, isError, isFetching, refetch } = useMatchingRules()
  if (!rules && isError) return <ErrorState text={t('failed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!rules) return <Shapes />
  const values = ruleValues(rules, i18n.language)
  return ruleParts.map((part) => <RulePart key={part} part={part} rules={rules} values={values[part]} />)
}

interface RulePartProps {
  part: RulePartName
  rules: MatchingRules
  values: Record<string, string | number>
}

function RulePart({ part, rules, values }: RulePartProps) {
  const { t } = useTranslation('matching')
  const sentences = useSentences(part, rules, values)
  if (sentences.length === 0) return null
  return (
    <section>
      <h2 className="display text-xl">{t(`${part}.title`)}</h2>
      <p className="mt-2 text-ink-2 text-pretty">{sentences.join(' ')}</p>
      {part === 'order' && <Weights rules={rules} />}
      {part === 'never' && <Never />}
      {part === 'control' && <Control />}
    </section>
  )
}

/** Leaves out the sentences whose numbers the server didn't send. */
function useSentences(part: RulePartName, { dailyLikes }: MatchingRules, values: RulePartProps['values']): string[] {
  const { t, i18n } = useTranslation('matching')
  const says: Record<string, string> = i18n.getResource(i18n.language, 'matching', `${part}.says`)
  return Object.entries(says)
    .filter(([key, sentence]) => isSayable(sentence, values) && (key !== 'unlimited' || dailyLikes === null))
    .map(([key]) => t(`${part}.says.${key}`, values))
}

function Never() {
  const { t } = useTranslation('matching')
  const things = Object.values(t('never.things', { returnObjects: true }) as Record<string, string>)
  return (
    <ul className="mt-4 flex flex-wrap gap-2">
      {things.map((thing) => (
        <li key={thing}>
          <Tag>{thing}</Tag>
        </li>
      ))}
    </ul>
  )
}

function Control() {
  const { t } = useTranslation('matching')
  const isSignedIn = useSession((state) => state.user !== null)
  if (!isSignedIn) return null
  return (
    <LinkButton to="/settings/profile#learnFromMe" variant="quiet" className="mt-4">
      {t('toSettings')}
    </LinkButton>
  )
}

function Shapes() {
  return (
    <div aria-hidden="true" className="grid gap-8">
      {['one', 'two', 'three'].map((key) => (
        <div key={key} className="grid gap-3">
          <Skeleton className="h-7 w-1/3" />
          <Skeleton className="h-20" />
        </div>
      ))}
    </div>
  )
}
