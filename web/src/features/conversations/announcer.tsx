import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useHidden } from '../privacy/privacy.tsx'
import { briefly } from './briefly.ts'
import type { Selection } from './chat/context.ts'
import { useSelection } from './conversations.ts'

type Announced = NonNullable<Selection['announced']>

const together = 1_000

/** Messages that arrive within `together` milliseconds are announced together. */
function useBatch(): { said: readonly Announced[]; count: number } {
  const [batch, setBatch] = useState<{ said: readonly Announced[]; count: number }>({ said: [], count: 0 })
  useEffect(() => {
    let waiting: Announced[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      const said = waiting
      setBatch(({ count }) => ({ said, count: count + 1 }))
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
  return batch
}

/** Announces incoming messages to screen readers; the thread isn't a live region. */
export function Announcer() {
  const { t } = useTranslation('conversations')
  const { said, count } = useBatch()
  const isHidden = useHidden()
  const people = new Map<string, Announced[]>()
  for (const one of said) people.set(one.id ?? one.name, [...(people.get(one.id ?? one.name) ?? []), one])
  const words = [...people.values()].map((messages) => {
    const { name, text, kind = 'text' } = messages[0]!
    if (messages.length > 1) return t('newFrom', { count: messages.length, name })
    return `${name}: ${isHidden(text) ? t('hidden.text') : briefly(t, { kind, message: text })}`
  })
  // Rendered into the body, because phones hide the panel on other screens. A new key makes screen readers repeat a
  // text that is identical to the last one.
  return createPortal(
    <p aria-live="polite" className="sr-only">
      <span key={count}>{words.join('. ')}</span>
    </p>,
    document.body,
  )
}
