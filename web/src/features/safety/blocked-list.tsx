import type { BlockedPerson } from '@duet/contract/safety.ts'
import { useTranslation } from 'react-i18next'
import { regional } from '../../platform/socket/region.ts'
import { toast } from '../../platform/toast.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useBlocks, useUnblock } from './safety.api.ts'

export function BlockedList() {
  const { t } = useTranslation('safety')
  const { data, isError, isFetching, refetch } = useBlocks()
  if (!data && isError) return <ErrorState text={t('listFailed')} busy={isFetching} onRetry={() => void refetch()} />
  if (!data) return <Skeleton className="h-11" />
  if (data.length === 0) return <p className="text-ink-2">{t('nobody')}</p>
  return (
    <ul aria-label={t('listTitle')} className="divide-y divide-line">
      {data.map((person) => (
        <Blocked key={person.id} {...person} />
      ))}
    </ul>
  )
}

function Blocked({ id, name: given, erased = false, since }: BlockedPerson) {
  const { t, i18n } = useTranslation('safety')
  const name = erased ? t('erased') : given
  const date =
    since && new Intl.DateTimeFormat(regional(i18n.language), { dateStyle: 'medium' }).format(new Date(since))
  const label = t('unblockName', { name: erased && date ? t('erasedSince', { date }) : name })
  const unblock = useUnblock()
  const takeBack = () =>
    unblock.mutate(id, {
      onSuccess: () => toast.success(t('unblocked', { name })),
      onError: () => toast.error(t('unblockFailed')),
    })
  return (
    <li className="flex items-center gap-4 py-2">
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium rtl:text-right">
          {name}
        </span>
        {date && (
          <time dateTime={since} className="block text-s text-ink-2">
            {t('since', { date })}
          </time>
        )}
      </span>
      <Button variant="quiet" busy={unblock.isPending} aria-label={label} onClick={takeBack}>
        {t('unblock')}
      </Button>
    </li>
  )
}
