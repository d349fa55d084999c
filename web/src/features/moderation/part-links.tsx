import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address.tsx'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useFigures } from './moderation.api.ts'
import { groups, type Part, queueOf } from './parts.ts'

/** The parts, those of moderation and those of the operator; each group scrolls where it does not fit. */
export function PartLinks({ now }: { now: Part }) {
  const { t } = useTranslation(['moderation', 'insights'])
  return (
    <nav
      aria-label={t('insights:parts')}
      className="grid justify-items-start gap-2 px-4 pt-4 sm:flex sm:flex-wrap sm:px-8 sm:pt-6"
    >
      {Object.entries(groups).map(([group, parts]) => (
        <ul
          key={group}
          aria-label={t(`group.${group}`)}
          className="flex max-w-full overflow-x-auto rounded-full bg-sunken p-1 [scrollbar-width:none]"
        >
          {parts.map((part) => (
            <PartLink key={part} part={part} on={part === now} />
          ))}
        </ul>
      ))}
    </nav>
  )
}

function PartLink({ part, on }: { part: Part; on: boolean }) {
  const { t } = useTranslation('moderation')
  const item = useRef<HTMLLIElement>(null)
  const count = useWaiting(part)
  useEffect(() => {
    const { current } = item
    const row = current?.parentElement
    // Within its row alone: the page stays where it is.
    if (on && current && row) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [on])
  return (
    <li ref={item} className="flex-none">
      <Link
        to={part === 'photos' ? '/admin' : `/admin?view=${part}`}
        aria-current={on ? 'page' : undefined}
        className={classNames(
          'relative flex h-9 items-center gap-1.5 rounded-full px-3 text-s font-[560] whitespace-nowrap transition after:absolute after:inset-x-0 after:-inset-y-1',
          on ? 'bg-surface text-ink shadow-[0_1px_3px_rgb(60_40_25/.14)]' : 'text-ink-2 hover:text-ink',
        )}
      >
        {t(`part.${part}`)}
        <Badge count={count} />
      </Link>
    </li>
  )
}

/** How many wait in the queue of a part. */
function useWaiting(part: Part): number {
  const { data } = useFigures()
  const kind = queueOf[part]
  return (data?.queues ?? []).filter((queue) => queue.kind === kind).reduce((sum, { open }) => sum + open, 0)
}
