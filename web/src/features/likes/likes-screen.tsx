import { useTranslation } from 'react-i18next'
import { Link, useAddress } from '../../platform/address/address.tsx'
import { Badge } from '../../ui/badge.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LikeList } from './like-list.tsx'
import { type Tab, tabs } from './likes-lists.api.ts'
import { useWaitingLikes } from './waiting-likes.api.ts'

export default function LikesScreen() {
  const { t } = useTranslation('likes')
  const { search } = useAddress()
  const wanted = search.get('tab')
  const tab = tabs.find((one) => one === wanted) ?? 'received'
  return (
    <div className="@container mx-auto w-full max-w-260 px-3.5 pt-5 pb-12 sm:px-8 sm:pt-10">
      <PageTitle>{t('title')}</PageTitle>
      <h1 className="display text-2xl sm:text-[38px]">{t('title')}</h1>
      <Tabs tab={tab} />
      <div tabIndex={-1} className="pt-4 focus:outline-none">
        <LikeList key={tab} tab={tab} />
      </div>
    </div>
  )
}

function Tabs({ tab }: { tab: Tab }) {
  const { t } = useTranslation('likes')
  const waiting = useWaitingLikes()
  return (
    <nav
      aria-label={t('tabs')}
      className="-mx-3.5 mt-4 overflow-x-auto px-3.5 [scrollbar-width:none] sm:-mx-8 sm:mt-5 sm:px-8"
    >
      <ul className="flex w-max min-w-full gap-0.5 border-b border-line sm:gap-3">
        {tabs.map((one) => (
          <li key={one}>
            <Link
              to={one === 'received' ? '/likes' : `/likes?tab=${one}`}
              aria-current={one === tab ? 'page' : undefined}
              className="-mb-px flex h-12 items-center gap-2 border-b-2 border-transparent px-2.5 text-[15px] font-[560] whitespace-nowrap text-ink-2 transition hover:text-ink focus-visible:-outline-offset-4 aria-[current=page]:border-accent aria-[current=page]:text-ink"
            >
              {t(`tab.${one}`)}
              {one === 'received' && <Badge count={waiting} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
