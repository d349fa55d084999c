import { foldedText } from '@duet/contract/folded-text.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '../chat/conversation-list.ts'
import { MessageHits } from '../search/message-hits.tsx'
import { SearchField } from '../search/search-field.tsx'
import { shortestQuery, useMessageSearch } from '../search/use-message-search.ts'
import { goToMessage } from '../thread-target.ts'
import type { RowActs } from './conversation-row.tsx'
import { GroupTitle } from './group-title.tsx'
import { RowList } from './row-list.tsx'
import { Scrolling } from './scrolling.tsx'

interface ListSearchProps extends RowActs {
  conversations: readonly Conversation[]
  onClose: () => void
}

export default function ListSearch({ conversations, onClose, ...acts }: ListSearchProps) {
  const { t } = useTranslation('conversations')
  const [text, setText] = useState('')
  const search = useMessageSearch(text)
  const wanted = foldedText(text.trim())
  const people = wanted ? conversations.filter(({ user }) => foldedText(user.name).includes(wanted)) : []
  const nothing = wanted.length >= shortestQuery && people.length === 0 && search.hits?.length === 0
  return (
    <>
      <header className="flex px-4 pt-4 pb-2">
        <SearchField
          label={t('searchLabel')}
          closeLabel={t('closeSearch')}
          value={text}
          onChange={setText}
          onClose={onClose}
        />
      </header>
      <Scrolling>
        {people.length > 0 && (
          <>
            <GroupTitle>{t('people')}</GroupTitle>
            <RowList aria-label={t('people')} list={people} {...acts} />
          </>
        )}
        {wanted.length >= shortestQuery && (
          <>
            {search.hits?.length !== 0 && <GroupTitle>{t('messages')}</GroupTitle>}
            <MessageHits
              search={search}
              label={t('messages')}
              onChoose={({ user, message }) => {
                goToMessage(user.id, message.seq)
                acts.onSelect(user.id)
              }}
            />
          </>
        )}
        <p role="status" className="px-5.5 py-4 text-ink-2">
          {nothing && t('nothingFound', { query: text.trim() })}
        </p>
      </Scrolling>
    </>
  )
}
