import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useUpdateUser } from '../profiles/profiles.ts'
import { useOwnDetails } from './accounts.ts'

/** Whether others see what I have read; who hides it sees it of nobody. */
export function ReceiptsSwitch() {
  const { t } = useTranslation('accounts')
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  const update = useUpdateUser()
  if (!details && isError) return <ErrorState busy={isFetching} onRetry={() => void refetch()} />
  if (!details) return <Skeleton className="h-11" />
  // Until the server answers, the switch stands where it was put.
  const { readReceipts = details.readReceipts } = update.isPending ? update.variables : {}
  return (
    <Switch
      label={t('settings.receipts')}
      hint={t('settings.receiptsHint')}
      checked={readReceipts}
      onChange={(on) => update.mutate({ readReceipts: on }, { onError: () => toast.error(t('settings.notSaved')) })}
    />
  )
}
