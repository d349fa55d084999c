import { useTranslation } from 'react-i18next'
import { toast } from '../../../platform/toast.ts'
import { useUpdateUser } from '../../profiles/profiles.ts'
import { before, type Filters } from './filters.ts'

/** Changes what I look for with one tap, and offers to take it back. `filters` are those that hold once it is kept. */
export function useChangeFilters(saved: Filters) {
  const { t } = useTranslation('discovery')
  const update = useUpdateUser()
  const filters: Filters = update.isPending ? { ...saved, ...wantedOf(update.variables) } : saved
  const send = (changes: Partial<Filters>, onKept?: () => void) =>
    void update.mutateAsync(changes).then(onKept, () => toast.error(t('sheet.failed')))
  const change = (changes: Partial<Filters>) => {
    const previous = before(filters, changes)
    const undo = { label: t('sheet.back'), onUndo: () => send(previous) }
    send(changes, () => toast.success(t('sheet.changed'), { undo }))
  }
  return { filters, change, busy: update.isPending }
}

// Only filters are sent from here.
const wantedOf = (changes: object) => changes as Partial<Filters>
