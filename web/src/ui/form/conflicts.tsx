import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'

export interface Conflict<K> {
  key: K
  label: string
  saved: string
}

interface ConflictsProps<K> {
  conflicts: readonly Conflict<K>[]
  onKeep: (key: K) => void
  onTake: (key: K) => void
}

export function Conflicts<K extends PropertyKey>({ conflicts, onKeep, onTake }: ConflictsProps<K>) {
  const { t } = useTranslation('ui')
  if (conflicts.length === 0) return null
  return (
    <ul role="alert" className="grid gap-3">
      {conflicts.map(({ key, label, saved }) => (
        <li key={String(key)} className="grid gap-2 rounded-m bg-sunken px-4 py-3 text-s">
          <p className="font-medium">{t(saved ? 'conflict.changed' : 'conflict.emptied', { field: label })}</p>
          {saved && (
            <blockquote dir="auto" className="line-clamp-4 whitespace-pre-line text-ink-2 wrap-anywhere">
              {saved}
            </blockquote>
          )}
          <p className="-mx-3.5 -mb-1 flex flex-wrap">
            <Button size="s" variant="text" onClick={() => onKeep(key)}>
              {t('conflict.keep')}
            </Button>
            <Button size="s" variant="text" onClick={() => onTake(key)}>
              {t(saved ? 'conflict.take' : 'conflict.leaveEmpty')}
            </Button>
          </p>
        </li>
      ))}
    </ul>
  )
}
