import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'
import { useOwnDetails } from '../accounts/accounts.ts'
import { useUpdateUser } from '../profiles/profiles.ts'

/** Whether others see what I have read; people who hide it don't see it of others. */
export function ReceiptsSwitch() {
  const { t } = useTranslation('own-settings')
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  const update = useUpdateUser()
  if (!details && isError) return <ErrorState busy={isFetching} onRetry={() => void refetch()} />
  // Until the server answers, the switch stands where it was put.
  const { readReceipts = details?.readReceipts ?? false } = update.isPending ? update.variables : {}
  const shown = (
    <Switch
      id="receipts"
      label={t('receipts.label')}
      hint={t('receipts.hint')}
      checked={readReceipts}
      onChange={(on) => update.mutate({ readReceipts: on }, { onError: () => toast.error(t('receipts.notSaved')) })}
    />
  )
  return details ? shown : <SkeletonOf>{shown}</SkeletonOf>
}
