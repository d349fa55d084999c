import { limits } from '@duet/contract/limits.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { RemovableChip } from '../../ui/form/chip.tsx'
import { Field } from '../../ui/form/field.tsx'

interface HiddenWordsProps {
  words: readonly string[]
  /** False when it was not kept. */
  onChange: (words: string[]) => Promise<boolean>
}

/** The words whose messages I do not want to read unasked. */
export function HiddenWords({ words, onChange }: HiddenWordsProps) {
  const { t } = useTranslation('privacy')
  const [word, setWord] = useState('')
  const wanted = word.replace(/\s+/g, ' ').trim()
  const isFull = words.length >= limits.hiddenWords
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!wanted || isFull) return
    setWord('')
    if (!words.includes(wanted) && !(await onChange([...words, wanted]))) setWord(wanted)
  }
  return (
    <div className="grid gap-3 pt-4">
      <form onSubmit={(event) => void add(event)}>
        <Field
          id="hiddenWords"
          label={t('hiddenWords.label')}
          hint={isFull ? t('hiddenWords.full') : t('hiddenWords.hint')}
          value={word}
          maxLength={limits.hiddenWordLength}
          autoComplete="off"
          autoCapitalize="off"
          enterKeyHint="done"
          dir="auto"
          onChange={({ target }) => setWord(target.value)}
          end={
            <Button type="submit" variant="text" disabled={!wanted || isFull}>
              {t('hiddenWords.add')}
            </Button>
          }
        />
      </form>
      {words.length > 0 && (
        <ul aria-label={t('hiddenWords.list')} className="flex flex-wrap gap-2">
          {words.map((one) => (
            <li key={one} className="max-w-full">
              <RemovableChip label={one} onRemove={() => void onChange(words.filter((other) => other !== one))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
