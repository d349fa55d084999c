import type { Reason } from '@duet/contract/profiles.ts'
import {
  Check,
  Cigarette,
  CircleDot,
  Clock,
  Languages,
  type LucideIcon,
  MapPin,
  Puzzle,
  Shuffle,
  Sparkles,
  Sprout,
  Users,
  Wine,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/card.tsx'
import { languageInSentence, lowered } from './filters/words.ts'

const icons: Record<Reason['kind'], LucideIcon> = {
  interest: Puzzle,
  intent: Sparkles,
  questions: Check,
  near: MapPin,
  active_today: Clock,
  new_here: Sprout,
  language: Languages,
  children: Users,
  smoking: Cigarette,
  drinking: Wine,
  outside_your_usual: Shuffle,
}

/** Returns the text for a reason, or null if this version of the app doesn't know its value. */
export function useReasonWords(): (reason: Reason) => string | null {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  return ({ kind, params }) => {
    const [first = ''] = Object.values(params)
    if (kind === 'interest') {
      const what = i18n.exists(`catalogue:interests.${first}`) && t(`catalogue:interests.${first}`)
      return what ? t('why.interest', { what: lowered(what, i18n.language) }) : null
    }
    if (kind === 'intent') return i18n.exists(`discovery:why.intent.${first}`) ? t(`why.intent.${first}`) : null
    if (kind === 'language') return t('why.language', { what: languageInSentence(first, i18n.language) })
    if (kind === 'near') return t('why.near', { km: first })
    if (kind === 'questions') return t('why.questions', params)
    return t(`why.${kind}`)
  }
}

// Reasons that apply to almost everyone and already appear on the card.
const general = new Set<Reason['kind']>(['near', 'active_today', 'new_here'])
const personalLeast = 2

/** Lists at most three reasons why a person is shown. Renders nothing if fewer than `personalLeast` are personal. */
export function WhyCard({ name, why }: { name: string; why: readonly Reason[] }) {
  const { t } = useTranslation('discovery')
  const say = useReasonWords()
  const reasons = why.flatMap((reason) => {
    const words = say(reason)
    return words ? [{ words, Icon: icons[reason.kind] ?? CircleDot }] : []
  })
  if (why.filter(({ kind }) => !general.has(kind)).length < personalLeast) return null
  return (
    <Card tone="reason">
      <p className="text-[13px] font-[620] text-accent">{t('why.title', { name })}</p>
      <ul className="mt-2">
        {reasons.map(({ words, Icon }) => (
          <li key={words} className="flex items-center gap-2.5 py-1.25 text-[15px]">
            <Icon aria-hidden="true" className="size-4.5! text-accent" />
            {words}
          </li>
        ))}
      </ul>
    </Card>
  )
}
