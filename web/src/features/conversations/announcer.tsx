import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useHidden } from '../privacy/privacy.tsx'
import { briefly } from './briefly.ts'
import type { Selection } from './chat/context.ts'
import { useSelection } from './conversations.ts'

type Announced = NonNullable<Selection['announced']>

const together = 1_000

/** What came in within a second, so that it can be said in one breath. */
function useBatch(): readonly Announced[] {
  const [said, setSaid] = useState<readonly Announced[]>([])
  useEffect(() => {
    let waiting: Announced[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      setSaid(waiting)
      waiting = []
      timer = undefined
    }
    const stop = useSelection.subscribe(({ announced }, before) => {
      if (!announced || announced === before.announced) return
      waiting.push(announced)
      timer ??= setTimeout(say, together)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return said
}

/** Says aloud what comes in; the thread itself stays silent. */
export function Announcer() {
  const { t } = useTranslation('conversations')
  const said = useBatch()
  const isHidden = useHidden()
  const people = new Map<string, Announced[]>()
  for (const one of said) people.set(one.id ?? one.name, [...(people.get(one.id ?? one.name) ?? []), one])
  const words = [...people.values()].map((messages) => {
    const { name, text, kind = 'text' } = messages[0]!
    if (messages.length > 1) return t('newFrom', { count: messages.length, name })
    return `${name}: ${isHidden(text) ? t('hidden.text') : briefly(t, { kind, message: text })}`
  })
  return (
    <p aria-live="polite" className="sr-only">
      {words.join('. ')}
    </p>
  )
}
