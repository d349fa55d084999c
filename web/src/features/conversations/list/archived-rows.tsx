import { ArrowLeft } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useFirstFocus } from '../../../ui/use-way-back.ts'
import { conversationsNewestFirst } from '../chat/conversation-order.ts'
import { useConversations } from '../conversations.ts'
import type { RowActs } from './conversation-row.tsx'
import { RowList } from './row-list.tsx'
import { Scrolling } from './scrolling.tsx'

export default function ArchivedRows({ onBack, ...acts }: RowActs & { onBack: () => void }) {
  const { t } = useTranslation('conversations')
  const { data = [] } = useConversations()
  const list = conversationsNewestFirst(data).filter(({ archived }) => archived)
  return (
    <>
      <Head onBack={onBack} />
      <Scrolling place="archived">
        {list.length === 0 ? (
          <EmptyState figure="letters" text={t('nothingArchived')} />
        ) : (
          <RowList aria-label={t('archived')} list={list} {...acts} />
        )}
      </Scrolling>
    </>
  )
}

function Head({ onBack }: { onBack: () => void }) {
  const { t } = useTranslation('conversations')
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <header className="flex min-h-17 items-center gap-2 px-3 pt-4 pb-2">
      <IconButton
        ref={first}
        label={t('backToAll')}
        icon={<ArrowLeft aria-hidden="true" className="mirror" />}
        onClick={onBack}
      />
      <h2 className="display text-xl">{t('archived')}</h2>
    </header>
  )
}
