import { limits } from '@duet/contract/limits.ts'
import { asLine, isVisible } from '@duet/contract/written-text.ts'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { RemovableChip } from '../../ui/form/chip.tsx'
import { Field } from '../../ui/form/field.tsx'

interface HiddenWordsProps {
  words: readonly string[]
  /** Resolves to false if the word couldn't be saved. */
  onHide: (word: string) => Promise<boolean>
  onUnhide: (word: string) => void
}

export function HiddenWords({ words, onHide, onUnhide }: HiddenWordsProps) {
  const { t } = useTranslation('privacy')
  const [word, setWord] = useState('')
  const wanted = asLine(word)
  const isFull = words.length >= limits.hiddenWords
  const canAdd = isVisible(wanted) && !isFull && wanted.length <= limits.hiddenWordLength
  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!canAdd) return
    setWord('')
    if (!words.includes(wanted) && !(await onHide(wanted))) setWord((now) => now || wanted)
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
          onChange={({ target }) => setWord(target.value)}
          end={
            <Button type="submit" variant="text" disabled={!canAdd}>
              {t('hiddenWords.add')}
            </Button>
          }
        />
      </form>
      {words.length > 0 && (
        <ul aria-label={t('hiddenWords.list')} className="flex flex-wrap gap-2">
          {words.map((one) => (
            <li key={one} className="max-w-full">
              <RemovableChip label={one} onRemove={() => onUnhide(one)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
