import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { useUpdateUser } from '../profiles/profiles.ts'
import { before, type Filters } from './filters.ts'

/** Changes what I look for with one tap, and offers to take it back. */
export function useChangeFilters(filters: Filters) {
  const { t } = useTranslation('discovery')
  const update = useUpdateUser()
  const change = (changes: Partial<Filters>) => {
    const previous = before(filters, changes)
    const failed = { onError: () => toast.error(t('sheet.failed')) }
    const undo = { label: t('sheet.back'), onUndo: () => update.mutate(previous, failed) }
    update.mutate(changes, { ...failed, onSuccess: () => toast.success(t('sheet.changed'), { undo }) })
  }
  return { change, busy: update.isPending }
}
