import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { differing, type FilterFields, useTriedFilters, useUpdateFilters } from './filter-fields.ts'
import type { Filters } from './filters.ts'

export function useChangeFilters(saved: Filters) {
  const { t } = useTranslation('discovery')
  const update = useUpdateFilters()
  const filters = useTriedFilters(saved)
  const send = (changes: Partial<FilterFields>, onKept?: () => void) =>
    void update.mutateAsync(changes).then(onKept, () => toast.error(t('sheet.failed')))
  const change = (changes: Partial<Filters>) => {
    const next = { ...filters, ...changes }
    const undo = { label: t('sheet.back'), onUndo: () => send(differing(next, filters)) }
    send(differing(filters, next), () => toast.success(t('sheet.changed'), { undo }))
  }
  return { filters, change, busy: update.isPending }
}
