import { useTranslation } from 'react-i18next'
import { useSession } from '../../platform/session.ts'
import { relativeTime } from '../../platform/time.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Case } from './case.ts'
import { SeverityTag } from './severity-tag.tsx'

interface CaseRowProps {
  waiting: Case
  open: boolean
  onOpen: () => void
}

/** One case of a queue: what, about whom, how long it waits, and who has it. */
export function CaseRow({ waiting, open, onOpen }: CaseRowProps) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const viewerId = useSession((state) => state.user?.id)
  const { title, person, createdAt, severity } = waiting
  const isMine = waiting.claim?.by.id === viewerId
  // Leaving a case gives it back, before the list is read again.
  const claim = isMine && !open ? null : waiting.claim
  return (
    <li>
      <button
        type="button"
        aria-current={open ? 'true' : undefined}
        onClick={onOpen}
        className={classNames(
          'grid w-full gap-1 rounded-l bg-surface px-4 py-3 text-start transition hover:bg-sunken/60',
          open ? 'outline-2 -outline-offset-2 outline-accent' : 'shadow-one',
        )}
      >
        <span className="flex items-center justify-between gap-3">
          {severity ? <SeverityTag severity={severity} /> : <span />}
          <time dateTime={createdAt} className="flex-none text-xs text-ink-2">
            {relativeTime(createdAt, new Date(), t, i18n.language)}
          </time>
        </span>
        <span className="font-[620] text-pretty">{title}</span>
        <span className="truncate text-s text-ink-2">{person.name}</span>
        {claim && (
          <span className="truncate text-s font-medium text-warn">
            {isMine ? t('claim.mineShort') : t('claim.theirsShort', { name: claim.by.name })}
          </span>
        )}
      </button>
    </li>
  )
}
