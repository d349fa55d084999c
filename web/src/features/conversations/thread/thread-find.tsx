import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MessageHits } from '../search/message-hits.tsx'
import { SearchField } from '../search/search-field.tsx'
import { shortestQuery, useMessageSearch } from '../search/use-message-search.ts'
import { useThread } from '../thread-acts.ts'

export default function ThreadFind({ onClose, onChosen }: { onClose: () => void; onChosen: () => void }) {
  const { t } = useTranslation('thread')
  const { peer, goTo } = useThread()
  const [text, setText] = useState('')
  const search = useMessageSearch(text, peer.id)
  const long = text.trim().length >= shortestQuery
  const words = () => {
    if (!long) return t('find.short')
    return search.hits?.length === 0 && !search.isFetching ? t('find.none') : null
  }
  return (
    <div className="absolute inset-x-0 top-0 z-10 flex max-h-full animate-fade flex-col border-b border-line bg-surface shadow-one">
      <div className="flex px-3 py-2">
        <SearchField
          label={t('find.label')}
          closeLabel={t('find.close')}
          value={text}
          onChange={setText}
          onClose={onClose}
        />
      </div>
      <div className="min-h-0 overflow-y-auto">
        {long && (
          <MessageHits
            search={search}
            label={t('conversations:messages')}
            onChoose={({ message }) => {
              goTo(message.seq)
              onChosen()
            }}
          />
        )}
        <p role="status" className="px-5.5 pt-1 pb-3 text-s text-ink-2 empty:hidden">
          {words()}
        </p>
      </div>
    </div>
  )
}
