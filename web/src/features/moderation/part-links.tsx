import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useQueueFigures } from './moderation.api.ts'
import { type AdminPart, groups, queueOf } from './parts.ts'

export function PartLinks({ now }: { now: AdminPart }) {
  const { t } = useTranslation(['moderation', 'insights'])
  return (
    <nav
      aria-label={t('insights:parts')}
      className="flex gap-x-5 gap-y-1 overflow-x-auto px-4 pt-3 [scrollbar-width:none] sm:flex-wrap sm:px-5 sm:pt-5"
    >
      {Object.entries(groups).map(([group, parts]) => (
        <ul key={group} aria-label={t(`group.${group}`)} className="flex flex-none gap-0.5 max-sm:last:pe-4">
          {parts.map((part) => (
            <PartLink key={part} part={part} on={part === now} />
          ))}
        </ul>
      ))}
    </nav>
  )
}

function PartLink({ part, on }: { part: AdminPart; on: boolean }) {
  const { t } = useTranslation('moderation')
  const item = useRef<HTMLLIElement>(null)
  const count = useWaiting(part)
  useEffect(() => {
    const { current } = item
    const row = current?.closest('nav')
    // Scrolls only the row of links; `scrollIntoView` would scroll the page as well.
    if (on && current && row) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2
  }, [on])
  return (
    <li ref={item} className="flex-none">
      <Link
        to={part === 'overview' ? '/admin' : `/admin?view=${part}`}
        aria-current={on ? 'page' : undefined}
        className={classNames(
          'flex h-11 items-center gap-1.5 rounded-full px-3 text-s font-[560] whitespace-nowrap transition focus-visible:-outline-offset-2',
          on ? 'bg-sunken text-ink' : 'text-ink-2 hover:text-ink',
        )}
      >
        {t(`part.${part}`)}
        {/* Reserves space for two digits, so that the layout doesn't shift when the count loads. */}
        {part in queueOf && <span className="min-w-[2ch] font-[680] text-accent tabular-nums">{count || null}</span>}
      </Link>
    </li>
  )
}

function useWaiting(part: AdminPart): number {
  const { data } = useQueueFigures()
  const kind = queueOf[part]
  return (data?.queues ?? []).filter((queue) => queue.kind === kind).reduce((sum, { open }) => sum + open, 0)
}
