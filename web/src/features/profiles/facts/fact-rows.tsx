import type { Profile } from '@duet/contract/profiles.ts'
import {
  Baby,
  Cigarette,
  CigaretteOff,
  HeartHandshake,
  Languages,
  ListChecks,
  type LucideIcon,
  MapPin,
  Ruler,
  Salad,
  Sun,
  UserRound,
  Wine,
  WineOff,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { heightWords, languageName } from './fact-words.ts'

type Row = readonly [name: string, icon: LucideIcon, words: string | null | undefined]

export function FactRows({ profile }: { profile: Profile }) {
  const { t } = useTranslation('profiles')
  const rows = useRows(profile).filter(([, , words]) => words)
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className="mb-3 text-s font-[540] text-ink-2">{t('factsTitle')}</h2>
      <dl className="grid gap-x-6 gap-y-3 text-[15px] sm:grid-cols-2">
        {rows.map(([name, Icon, words]) => (
          <div key={name} className={classNames('flex items-start gap-3', name === 'questions' && 'sm:col-span-2')}>
            <dt className="flex h-6 items-center">
              <Icon aria-hidden="true" className="size-4.5! text-ink-2" />
              <span className="sr-only">{t(`facts.${name}`)}</span>
            </dt>
            <dd className="min-w-0 wrap-anywhere">
              <bdi>{words}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function useRows(profile: Profile): Row[] {
  const { t, i18n } = useTranslation(['profiles', 'catalogue'])
  const { intents, gender, genderText, pronouns, area, questions, facts } = profile
  const { heightCm, children, smoking, drinking, diet, languages, faith } = facts
  const listed = (words: string[]) => new Intl.ListFormat(i18n.language).format(words)
  const who = genderText || (gender && t(`catalogue:genders.${gender}`))
  return [
    ['questions', ListChecks, questions.asked > 0 ? t('agree', questions) : null],
    ['looksFor', HeartHandshake, listed(intents.map((intent) => t(`catalogue:intents.${intent}`)))],
    ['gender', UserRound, [who, pronouns].filter(Boolean).join(' · ')],
    ['area', MapPin, area],
    ['height', Ruler, heightCm && heightWords(heightCm, i18n.language)],
    ['children', Baby, children && t(`catalogue:children.${children}`)],
    ['smoking', smoking === 'never' ? CigaretteOff : Cigarette, smoking && t(`catalogue:smoking.${smoking}`)],
    ['drinking', drinking === 'never' ? WineOff : Wine, drinking && t(`catalogue:drinking.${drinking}`)],
    ['diet', Salad, diet && t(`catalogue:diet.${diet}`)],
    ['languages', Languages, listed(languages.map((code) => languageName(code, i18n.language)))],
    ['faith', Sun, faith && t(`catalogue:faith.${faith}`)],
  ] as Row[]
}
