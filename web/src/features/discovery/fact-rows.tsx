import type { Profile } from '@duet/contract/profiles.ts'
import { useTranslation } from 'react-i18next'
import { languageName, listed } from './words.ts'

type Row = readonly [key: string, words: string | null | undefined]

/** The facts somebody gave, in rows; nothing for what was not said. */
export function FactRows({ person }: { person: Profile }) {
  const { t } = useTranslation('discovery')
  const rows = useRows(person).filter(([, words]) => words)
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className="sr-only">{t('facts.title')}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2.5 text-[15px]">
        {rows.map(([key, words]) => (
          <div key={key} className="contents">
            <dt className="text-ink-2">{t(`facts.${key}`)}</dt>
            <dd className="wrap-anywhere">{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function useRows({ intents, gender, genderText, pronouns, facts, questions, why }: Profile): Row[] {
  const { t, i18n } = useTranslation(['discovery', 'catalogue'])
  const { heightCm, children, smoking, drinking, diet, faith, languages } = facts
  const said = (kind: string, id: string | null) => id && t(`catalogue:${kind}.${id}`)
  const speaks = languages.map((code) => languageName(code, i18n.language))
  const agreed = questions.asked > 0 && !why.some(({ kind }) => kind === 'questions')
  return [
    ['questions', agreed ? t('why.questions', questions) : null],
    ['intents', intents.map((intent) => t(`catalogue:intents.${intent}`)).join(', ')],
    ['gender', genderText || (gender && t(`catalogue:genders.${gender}`))],
    ['pronouns', pronouns],
    ['height', heightCm && t('facts.cm', { cm: heightCm })],
    ['children', said('children', children)],
    ['smoking', said('smoking', smoking)],
    ['drinking', said('drinking', drinking)],
    ['diet', said('diet', diet)],
    ['languages', listed(speaks, i18n.language)],
    ['faith', said('faith', faith)],
  ] as Row[]
}
