import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../platform/session.ts'
import { relativeTime } from '../../../platform/time.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { Case } from './case.ts'
import { SeverityTag } from './severity-tag.tsx'

interface CaseRowProps {
  waiting: Case
  open: boolean
  onOpen: () => void
}

export function CaseRow({ waiting, open, onOpen }: CaseRowProps) {
  const { t, i18n } = useTranslation(['moderation', 'common'])
  const viewerId = useSession((state) => state.user?.id)
  const { title, person, createdAt, severity } = waiting
  const isMine = waiting.claim?.by.id === viewerId
  // When the viewer leaves a case, the claim is released before the list is refetched, so ignore the claim in the list.
  const claim = isMine && !open ? null : waiting.claim
  return (
    <li>
      <button
        type="button"
        aria-current={open ? 'true' : undefined}
        onClick={onOpen}
        className={classNames(
          'relative grid w-full grid-cols-1 gap-1 px-5 py-3.5 text-start transition focus-visible:-outline-offset-2',
          open
            ? 'bg-sunken before:absolute before:inset-y-0 before:start-0 before:w-[3px] before:bg-accent'
            : 'hover:bg-sunken/60',
        )}
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="font-[620] text-pretty">{title}</span>
          <time dateTime={createdAt} className="flex-none text-xs text-ink-2">
            {relativeTime(createdAt, new Date(), t, i18n.language)}
          </time>
        </span>
        <span className="flex items-center justify-between gap-3">
          <span dir="auto" className="truncate text-s text-ink-2">
            {person.name}
          </span>
          {severity && severity !== 'normal' && <SeverityTag severity={severity} />}
        </span>
        {claim && (
          <span className="flex items-center gap-1.5 text-s text-ink-2">
            <Lock aria-hidden="true" className="size-3.5!" />
            <span className="truncate">
              {isMine ? t('claim.mineShort') : t('claim.theirsShort', { name: claim.by.name })}
            </span>
          </span>
        )}
      </button>
    </li>
  )
}
