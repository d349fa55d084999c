import { EyeOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { whenPersonChanges } from '../../platform/session.ts'
import { useHidden } from './privacy.api.ts'

// Rows unmount during scrolling, so the ids of opened texts are stored outside the component.
const opened = new Set<string>()
whenPersonChanges(() => opened.clear())

/** A text by another person, collapsed if it contains one of my hidden words. `id` identifies the text. */
export function Folded({ id, text, children }: { id: string; text: string; children: ReactNode }) {
  const { t } = useTranslation('conversations')
  const isHidden = useHidden()
  const [open, setOpen] = useState(opened.has(id))
  if (open || !isHidden(text)) return children
  const show = () => {
    opened.add(id)
    setOpen(true)
  }
  return (
    <button type="button" onClick={show} className="inline-flex min-h-6 items-center gap-2 text-start">
      <EyeOff aria-hidden="true" className="size-4! flex-none" />
      <span>
        {t('hidden.text')} <span className="font-semibold underline underline-offset-3">{t('hidden.show')}</span>
      </span>
    </button>
  )
}
