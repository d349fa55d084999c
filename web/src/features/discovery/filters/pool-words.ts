import type { Widener } from '@duet/contract/discovery.ts'
import { useTranslation } from 'react-i18next'
import { ageContext, type Filters, type WishItem, wishOf } from './filters.ts'
import { languageInSentence, listed, lowered } from './words.ts'

const most = 1000

/** The wording for a rounded number of people: none, fewer than 5, about that many, or over a thousand. */
export function manyOf(step: number): 'none' | 'few' | 'about' | 'most' {
  if (step === 0) return 'none'
  if (step < 5) return 'few'
  return step < most ? 'about' : 'most'
}

export function useManyWords(): (step: number) => string {
  const { t, i18n } = useTranslation('discovery')
  return (step) => t(`pool.many.${manyOf(step)}`, { number: step.toLocaleString(i18n.language) })
}

export function useWishWords(): (item: WishItem, id: string) => string {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  return (item, id) => {
    if (item === 'languages') return languageInSentence(id, i18n.language)
    return t(`catalogue:${item}.${id}`)
  }
}

export function useWidenerWords(filters: Filters): (widener: Widener) => { what: string; gain: string } {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  const wishWord = useWishWords()
  const wish = (item: WishItem, { preferences = {} }: Widener['changes']) => {
    const name = t(`facts.${item}`)
    const now = wishOf(filters.preferences, item)
    const then = wishOf(preferences, item)
    if (!then) return t('pool.wider.noWish', { item: name })
    const more = then.accepts.filter((id) => !now?.accepts.includes(id)).map((id) => wishWord(item, id))
    if (more.length === 0) return t('pool.wider.noDealbreaker', { item: name })
    return t('pool.wider.moreWords', { item: name, words: listed(more, i18n.language) })
  }
  const height = ({ preferences }: Widener['changes']) => {
    const then = preferences?.height
    if (!then) return t('pool.wider.noWish', { item: t('facts.height') })
    const same = then.min === filters.preferences.height?.min && then.max === filters.preferences.height.max
    return same ? t('pool.wider.noDealbreaker', { item: t('facts.height') }) : t('pool.wider.height', then)
  }
  const meet = ({ interestedIn = [] }: Widener['changes']) => {
    const more = interestedIn.filter((gender) => !filters.interestedIn.includes(gender))
    return t('pool.wider.gender', {
      who: listed(
        more.map((gender) => lowered(t(`catalogue:meet.${gender}`), i18n.language)),
        i18n.language,
      ),
    })
  }
  const what = ({ item, changes }: Widener): string => {
    const { ageMin = filters.ageMin, ageMax = filters.ageMax, maxDistanceKm: km } = changes
    if (item === 'distance') return km ? t('pool.wider.distance', { km }) : t('pool.wider.anywhere')
    if (item === 'ages') return t('pool.wider.ages', { min: ageMin, max: ageMax, context: ageContext(ageMax) })
    if (item === 'gender') return meet(changes)
    return item === 'height' ? height(changes) : wish(item, changes)
  }
  const gain = (adds: number) =>
    t(`pool.gain.${manyOf(Math.max(1, adds))}`, { number: adds.toLocaleString(i18n.language) })
  return (widener) => ({ what: what(widener), gain: gain(widener.adds) })
}
