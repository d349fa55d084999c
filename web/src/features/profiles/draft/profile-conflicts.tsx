import { useTranslation } from 'react-i18next'
import { type Conflict, Conflicts } from '../../../ui/form/conflicts.tsx'
import { heightWords, languageName } from '../facts/fact-words.ts'
import type { ProfileFields } from '../profile-fields.ts'

type Key = keyof ProfileFields

interface ProfileConflictsProps {
  saved: ProfileFields
  conflicts: readonly Key[]
  onKeep: (key: Key) => void
  onTake: (key: Key) => void
}

export function ProfileConflicts({ saved, conflicts, ...acts }: ProfileConflictsProps) {
  const wordsOf = useWords()
  return <Conflicts conflicts={conflicts.map((key) => wordsOf(saved, key))} {...acts} />
}

const facts: readonly Key[] = ['children', 'smoking', 'drinking', 'diet', 'faith']

function useWords(): (saved: ProfileFields, key: Key) => Conflict<Key> {
  const { t, i18n } = useTranslation(['profiles', 'catalogue'])
  const listed = (words: readonly string[]) => new Intl.ListFormat(i18n.language, { type: 'unit' }).format(words)
  const savedWords = (saved: ProfileFields, key: Key): string => {
    if (key === 'prompts')
      return saved.prompts.map(({ prompt, answer }) => `${t(`prompts.${prompt}`)} ${answer}`).join('\n')
    if (key === 'intents') return listed(saved.intents.map((id) => t(`catalogue:intents.${id}`)))
    if (key === 'interests') return listed(saved.interests.map((id) => t(`catalogue:interests.${id}`)))
    if (key === 'languages') return listed(saved.languages.map((code) => languageName(code, i18n.language)))
    if (key === 'heightCm') return saved.heightCm === null ? '' : heightWords(saved.heightCm, i18n.language)
    if (key === 'gender') return saved.gender ? t(`catalogue:genders.${saved.gender}`) : ''
    const value = saved[key]
    return value && facts.includes(key) ? t(`catalogue:${key}.${value}`) : (value ?? '')
  }
  const labelOf = (key: Key): string => {
    if (key === 'prompts') return t('answers')
    if (key === 'heightCm') return t('facts.height')
    return t(facts.includes(key) || key === 'languages' ? `facts.${key}` : key)
  }
  return (saved, key) => ({ key, label: labelOf(key), saved: savedWords(saved, key) })
}
