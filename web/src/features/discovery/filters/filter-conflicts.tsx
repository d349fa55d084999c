import { useTranslation } from 'react-i18next'
import { type Conflict, Conflicts } from '../../../ui/form/conflicts.tsx'
import type { FilterFields } from './filter-fields.ts'
import { ageContext, type Filters, wishOf } from './filters.ts'
import { useWishWords } from './pool-words.ts'
import { listed } from './words.ts'

type Key = keyof FilterFields

interface FilterConflictsProps {
  saved: Filters
  conflicts: readonly Key[]
  onKeep: (key: Key) => void
  onTake: (key: Key) => void
}

export function FilterConflicts({ saved, conflicts, ...acts }: FilterConflictsProps) {
  const conflictOf = useConflict(saved)
  return <Conflicts conflicts={conflicts.map(conflictOf)} {...acts} />
}

function useConflict({ interestedIn, ageMin, ageMax, maxDistanceKm, preferences }: Filters) {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  const word = useWishWords()
  const list = (words: string[]) => listed(words, i18n.language) || t('sheet.any')
  return (key: Key): Conflict<Key> => {
    if (key === 'interestedIn') {
      const saved = list(interestedIn.map((gender) => t(`catalogue:meet.${gender}`)))
      return { key, label: t('sheet.meet'), saved }
    }
    if (key === 'ages') {
      const saved = t('sheet.agesText', { min: ageMin, max: ageMax, context: ageContext(ageMax) })
      return { key, label: t('sheet.ages'), saved }
    }
    if (key === 'maxDistanceKm') {
      const saved = maxDistanceKm ? t('sheet.km', { km: maxDistanceKm }) : t('sheet.anywhere')
      return { key, label: t('sheet.distance'), saved }
    }
    const label = t(`facts.${key}`)
    if (key === 'height')
      return { key, label, saved: preferences.height ? t('sheet.heightText', preferences.height) : t('sheet.any') }
    return { key, label, saved: list((wishOf(preferences, key)?.accepts ?? []).map((id) => word(key, id))) }
  }
}
