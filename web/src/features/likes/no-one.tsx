import { by } from '@duet/contract/order.ts'
import type { MyDetails } from '@duet/contract/profiles.ts'
import { Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import type { Tab } from './likes-lists.api.ts'

const mostTips = 3

export function NoOne({ tab }: { tab: Tab }) {
  const { t } = useTranslation('likes')
  const { data: details } = useOwnDetails()
  if (tab === 'received' && details) return <NoLikes details={details} />
  const discover = <LinkButton to="/home">{t('discover')}</LinkButton>
  return <EmptyState figure="people" text={t(`empty.${tab}`)} action={discover} />
}

function NoLikes({ details }: { details: MyDetails }) {
  const { t } = useTranslation('likes')
  const missing = details.completeness.items.filter(({ done }) => !done)
  const tips = missing.toSorted(by(({ weight }) => -weight)).slice(0, mostTips)
  if (details.paused) {
    const settings = <LinkButton to="/settings/profile#paused">{t('toSettings')}</LinkButton>
    return <EmptyState figure="bell" text={t('empty.paused')} action={settings} />
  }
  if (tips.length === 0) {
    const discover = <LinkButton to="/home">{t('discover')}</LinkButton>
    return <EmptyState figure="letters" text={t('empty.received')} action={discover} />
  }
  const finish = <LinkButton to={`/profile/${details.id}`}>{t('finishProfile')}</LinkButton>
  return (
    <div className="pb-8">
      <EmptyState figure="letters" text={t('empty.received')} action={finish} />
      <Tips tips={tips} />
    </div>
  )
}

function Tips({ tips }: { tips: MyDetails['completeness']['items'] }) {
  const { t } = useTranslation(['likes', 'profiles'])
  return (
    <Card className="mx-auto max-w-105">
      <h2 className="text-s font-[540] text-ink-2">{t('likes:tips')}</h2>
      <ul className="mt-3 grid gap-2.5">
        {tips.map(({ item, weight, missing = 1 }) => (
          <li key={item} className="flex items-center gap-2.5 text-[15px]">
            <Plus aria-hidden="true" className="size-4.5 text-accent" />
            <span className="flex-1">{t(`profiles:items.${item}`, { count: missing })}</span>
            <span className="text-s text-ink-2">{t('profiles:brings', { weight })}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
