import { questionTopics } from '@duet/contract/question-catalogue.ts'
import type { QuestionAnswer } from '@duet/contract/questions.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { navigate } from '../../platform/address/address.tsx'
import type { CallResponse } from '../../platform/call.ts'
import { toast } from '../../platform/toast.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { progressByTopic, type Topic } from './order.ts'
import { useAnswerQuestion, useDeleteAnswer } from './questions.api.ts'

type Questions = CallResponse<'GET /api/questions'>

export function AnsweredList({ questions, answers, topic }: Questions & { topic: Topic | undefined }) {
  const { t } = useTranslation('questions')
  const remove = useRemove()
  const parts = progressByTopic(topic ? [topic] : questionTopics, questions, answers).flatMap((part) => {
    const inOrder = part.questions.flatMap(({ id }) => answers.find(({ question }) => question === id) ?? [])
    return inOrder.length > 0 ? [{ topic: part.topic, inOrder }] : []
  })
  if (parts.length === 0) return <Nothing />
  const topics = (
    <LinkButton to="/questions" variant="quiet" className="flex-none">
      {t('allTopics')}
    </LinkButton>
  )
  return (
    <Page title={t('yourAnswers')} lead={t('listLead')} end={topics}>
      {parts.map((part) => (
        <Section key={part.topic} title={t(`topics.${part.topic}`)}>
          <ul aria-label={t(`topics.${part.topic}`)} className="grid gap-3">
            {part.inOrder.map((answer) => (
              <AnswerCard key={answer.question} answer={answer} onDelete={() => remove(answer)} />
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  )
}

function AnswerCard({ answer, onDelete }: { answer: QuestionAnswer; onDelete: () => void }) {
  const { t } = useTranslation('questions')
  const question = t(`catalogue.${answer.question}.ask`)
  const change = () => navigate(`/questions?question=${answer.question}`, { state: 'changing' })
  return (
    <li>
      <Card className="flex items-start gap-2 pe-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="text-s font-[540] text-ink-2">{question}</h3>
          <p className="mt-1 font-display text-xl leading-[1.28] tracking-[-.01em]">
            {t(`catalogue.${answer.question}.choices.${answer.choice}`)}
          </p>
          <Wish answer={answer} />
        </div>
        <div className="-mt-2.5 flex flex-none">
          <IconButton label={t('change', { question })} icon={<Pencil aria-hidden="true" />} onClick={change} />
          <IconButton label={t('delete', { question })} icon={<Trash2 aria-hidden="true" />} onClick={onDelete} />
        </div>
      </Card>
    </li>
  )
}

function Wish({ answer: { question, accepts, importance } }: { answer: QuestionAnswer }) {
  const { t } = useTranslation('questions')
  return (
    <>
      <p className="mt-3 text-s text-ink-2">{t(`wish.${importance}`)}</p>
      {importance !== 'irrelevant' && (
        <ul className="mt-2 flex flex-wrap gap-1.5">
          {accepts.map((choice) => (
            <li key={choice}>
              <Tag>{t(`catalogue.${question}.choices.${choice}`)}</Tag>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

// Used by the list instead of the row, because the row has unmounted when the toast appears.
function useRemove() {
  const { t } = useTranslation('questions')
  const remove = useDeleteAnswer()
  const restore = useAnswerQuestion()
  return (answer: QuestionAnswer) => {
    const bringBack = () => restore.mutateAsync(answer).catch(() => toast.error(t('saveFailed')))
    const undo = { label: t('undo'), onUndo: () => void bringBack() }
    // `mutateAsync`, because several deletions may be pending and `mutate` runs only the last one's callbacks.
    void remove.mutateAsync(answer.question).then(
      () => toast.info(t('deleted'), { undo }),
      () => toast.error(t('deleteFailed')),
    )
  }
}

function Nothing() {
  const { t } = useTranslation('questions')
  const act = <LinkButton to="/questions">{t('begin')}</LinkButton>
  return (
    <Page title={t('yourAnswers')}>
      <EmptyState figure="people" text={t('listEmpty')} action={act} />
    </Page>
  )
}
