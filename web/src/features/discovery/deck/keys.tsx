import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Switch } from '../../../ui/form/switch.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'

const keys = [
  { act: 'pass', caps: ['←'] },
  { act: 'like', caps: ['→'] },
  { act: 'later', caps: ['↑'] },
  { act: 'undo', caps: ['Z', 'U'] },
] as const

function Cap({ children }: { children: string }) {
  return (
    <kbd className="rounded-[6px] border border-line bg-surface px-1.75 py-0.5 font-text text-xs font-semibold text-ink-2">
      {children}
    </kbd>
  )
}

/** The keys of the deck: a line under it, which opens what they do and lets them rest. */
export function Keys({ on, onChange }: { on: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation('discovery')
  const [open, setOpen] = useState(false)
  const trigger = (
    <button
      type="button"
      aria-label={t('keys.title')}
      className="flex min-h-11 items-center gap-3 rounded-full px-3 text-xs text-ink-2 hover:text-ink"
    >
      <Keyboard aria-hidden="true" className="size-4.5!" />
      {on ? (
        <span dir="ltr" aria-hidden="true" className="flex gap-3">
          {keys.map(({ act, caps: [cap] }) => (
            <span key={act} className="flex items-center gap-1.5">
              <Cap>{cap}</Cap>
              {t(`keys.${act}`)}
            </span>
          ))}
        </span>
      ) : (
        t('keys.off')
      )}
    </button>
  )
  return (
    <Popover open={open} onOpenChange={setOpen} label={t('keys.title')} align="center" trigger={trigger}>
      <div className="grid w-76 gap-3 p-5">
        <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5 text-[15px]">
          {keys.map(({ act, caps }) => (
            <div key={act} className="contents">
              <dt className="flex gap-1.5">
                {caps.map((cap) => (
                  <Cap key={cap}>{cap}</Cap>
                ))}
              </dt>
              <dd>{t(`deck.${act}`)}</dd>
            </div>
          ))}
        </dl>
        <Switch label={t('keys.on')} hint={t('keys.hint')} checked={on} onChange={onChange} />
      </div>
    </Popover>
  )
}
