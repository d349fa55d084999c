import { useTranslation } from 'react-i18next'
import { useOwnDetails } from '../../features/accounts/accounts.ts'
import { detailsTrials, useUpdateUser } from '../../features/profiles/profiles.ts'
import { useTried } from '../../platform/query/trials.ts'
import { toast } from '../../platform/toast.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { SkeletonOf } from '../../ui/skeleton.tsx'

/** People who turn off read receipts can't see other people's either. */
export function ReceiptsSwitch() {
  const { t } = useTranslation('own-settings')
  const { data: details, isError, isFetching, refetch } = useOwnDetails()
  const shown = useTried(detailsTrials, details)
  const { mutateAsync: update } = useUpdateUser()
  if (!details && isError) return <ErrorState busy={isFetching} onRetry={() => void refetch()} />
  const row = (
    <Switch
      id="receipts"
      label={t('receipts.label')}
      hint={t('receipts.hint')}
      checked={shown?.readReceipts ?? false}
      onChange={(on) => void update({ readReceipts: on }).catch(() => toast.error(t('receipts.notSaved')))}
    />
  )
  return details ? row : <SkeletonOf>{row}</SkeletonOf>
}
