import { Keyboard } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazily } from '../../../ui/lazily.tsx'
import { Popover } from '../../../ui/overlay/popover.tsx'
import { Cap, keyCaps } from './key-caps.tsx'

const KeyList = lazily(() => import('./key-list.tsx'))

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
          {keyCaps.map(({ act, caps: [cap] }) => (
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
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('keys.title')}
      align="center"
      trigger={trigger}
      onNear={KeyList.near}
    >
      <KeyList {...{ on, onChange }} />
    </Popover>
  )
}
