import type { Match } from '@duet/contract/matches.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Face } from '../../ui/photo/face.tsx'

interface NewMatchesProps {
  matches: readonly Match[]
  onSelect: (id: string) => void
}

export function NewMatches({ matches, onSelect }: NewMatchesProps) {
  const { t } = useTranslation('conversations')
  const id = useId()
  if (matches.length === 0) return null
  return (
    <section aria-labelledby={id} className="pb-2">
      <h3 id={id} className="px-5.5 pt-1 pb-2 text-[13px] font-semibold text-ink-2">
        {t('newMatches')}
      </h3>
      <ul className="flex gap-3.5 overflow-x-auto overscroll-x-contain px-5.5 py-1 [scrollbar-width:none]">
        {matches.map(({ user }) => (
          <li key={user.id} className="flex-none">
            <button
              type="button"
              onClick={() => onSelect(user.id)}
              className="grid w-18 justify-items-center gap-1.5 rounded-m focus-visible:outline-offset-0"
            >
              <span className="flex rounded-full p-[3px] ring-2 ring-accent">
                <Face name={user.name} photo={user.photo} size={66} />
              </span>
              <span className="w-full truncate text-center text-[13px] font-medium">
                <bdi>{user.name}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
