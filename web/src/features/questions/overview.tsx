import { questionTopics } from '@duet/contract/question-catalogue.ts'
import { Check, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import type { CallResponse } from '../../platform/call.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Progress } from '../../ui/progress.tsx'
import { enough, progressByTopic, questionAddress, type TopicProgress, topicToGoOn, whereToGoOn } from './order.ts'
import { TopicIcon } from './topic-icon.tsx'

type Questions = CallResponse<'GET /api/questions'>

export function Overview({ questions, answers }: Questions) {
  const { t } = useTranslation('questions')
  const topics = progressByTopic(questionTopics, questions, answers)
  const list = answers.length > 0 && (
    <LinkButton to="/questions?view=answers" variant="text" className="-me-4 flex-none px-4">
      {t('yourAnswers')}
    </LinkButton>
  )
  return (
    <Page title={t('title')} lead={t('lead')} end={list}>
      <div>
        <ProgressCard {...{ questions, answers, topics }} />
        <p className="mt-4 flex items-start gap-2.5 px-1 text-s text-ink-2">
          <Lock aria-hidden="true" className="mt-0.5 size-4.5 flex-none" />
          {t('private')}
        </p>
      </div>
      <Section title={t('byTopic')}>
        <ul className="grid gap-3 sm:grid-cols-2">
          {topics.map((topic) => (
            <TopicCard key={topic.topic} {...topic} />
          ))}
        </ul>
      </Section>
    </Page>
  )
}

/** The first ten questions mix all topics; after that, the topics come one after another. */
function whereNext({ questions, answers, topics }: Questions & { topics: TopicProgress[] }) {
  if (answers.length < Math.min(enough, questions.length)) {
    const first = whereToGoOn(questions, answers)
    return first ? { to: questionAddress(first) } : undefined
  }
  const next = topicToGoOn(topics)
  return next?.next ? { to: questionAddress(next.next, next.topic), topic: next.topic } : undefined
}

function ProgressCard(all: Questions & { topics: TopicProgress[] }) {
  const { t } = useTranslation('questions')
  const answered = all.answers.length
  const total = all.questions.length
  const isBeginning = answered < enough && total > enough
  const max = isBeginning ? enough : total
  const next = whereNext(all)
  const words = t(isBeginning ? 'toBegin' : next ? 'progress' : 'allAnswered', { answered, total: max })
  const more = next?.topic ? t('nextTopic', { topic: t(`topics.${next.topic}`) }) : t('nothingOpen')
  return (
    <Card className="grid gap-x-6 gap-y-5 sm:grid-cols-[1fr_auto] sm:items-center">
      <div className="min-w-0">
        <p className="display text-xl">{words}</p>
        <Progress value={answered} max={max} label={words} className="mt-3 h-1.5" />
        <p className="mt-3 text-s text-ink-2">{isBeginning ? t(answered ? 'beginMore' : 'beginHint') : more}</p>
      </div>
      {next && (
        <LinkButton to={next.to} size="l" className="sm:min-w-40">
          {t(answered === 0 ? 'begin' : 'continue')}
        </LinkButton>
      )}
    </Card>
  )
}

function TopicCard({ topic, questions, answered, next }: TopicProgress) {
  const { t } = useTranslation('questions')
  const total = questions.length
  return (
    <li className="sm:last:odd:col-span-2">
      <Link
        to={next ? questionAddress(next, topic) : `/questions?view=answers&topic=${topic}`}
        className="flex h-full items-center gap-3.5 rounded-l bg-surface p-4 shadow-one transition hover:bg-sunken active:scale-[.99]"
      >
        <TopicIcon topic={topic} />
        <span className="min-w-0 flex-1">
          <span className="block font-[620]">{t(`topics.${topic}`)}</span>
          <span className="block text-s text-ink-2 tabular-nums">
            {t(next ? 'progress' : 'allAnswered', { answered, total })}
          </span>
          <span aria-hidden="true" className="mt-2 block">
            <Progress value={answered} max={total} label="" />
          </span>
        </span>
        {!next && <Check aria-hidden="true" className="size-5 flex-none text-good" />}
      </Link>
    </li>
  )
}
