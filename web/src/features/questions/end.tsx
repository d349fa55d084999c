import type { ReactNode } from 'react'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { Figure } from '../../ui/figure.tsx'
import { questionAddress, type Topic, type TopicProgress, topicAfter } from './order.ts'

interface EndProps {
  /** True after the first ten answers, false after the last question. */
  isEnough: boolean
  topic: Topic | undefined
  topics: readonly TopicProgress[]
  open: string | undefined
}

export function End({ isEnough, topic, topics, open }: EndProps) {
  const { t } = useTranslation('questions')
  const allTopics = (
    <LinkButton to="/questions" variant="quiet" size="l">
      {t(isEnough ? 'moreByTopic' : 'allTopics')}
    </LinkButton>
  )
  const toHome = (
    <LinkButton to="/home" size="l">
      {t('toHome')}
    </LinkButton>
  )
  if (isEnough) return <Rest title={t('enoughTitle')} text={t('enoughText')} acts={[toHome, allTopics]} />
  const skipped = open && (
    <LinkButton to={questionAddress(open, topic)} variant="quiet" size="l">
      {t('goThroughSkipped')}
    </LinkButton>
  )
  const next = topic && topicAfter(topics, topic)
  const title = topic && !open ? t('topicDone', { topic: t(`topics.${topic}`) }) : t('endTitle')
  const text = open ? t('endSkipped') : next ? t('topicDoneText') : t('endAll')
  const onward = next?.next ? (
    <LinkButton to={questionAddress(next.next, next.topic)} size="l">
      {t('nextTopic', { topic: t(`topics.${next.topic}`) })}
    </LinkButton>
  ) : (
    toHome
  )
  return <Rest title={title} text={text} acts={[onward, skipped || allTopics]} />
}

function Rest({ title, text, acts }: { title: string; text: string; acts: ReactNode[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
    heading.current?.focus({ preventScroll: true })
  }, [])
  const [first, second] = acts
  return (
    <div className="grid flex-1 animate-fade content-center justify-items-center pb-24 text-center">
      <Figure name="people" />
      <h1 ref={heading} tabIndex={-1} className="mt-5 display text-2xl text-balance">
        {title}
      </h1>
      <p className="mt-3 max-w-80 text-ink-2 text-balance">{text}</p>
      <div className="mt-7 grid gap-3">
        {first}
        {second}
      </div>
    </div>
  )
}
