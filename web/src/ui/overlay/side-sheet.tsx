import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { type Unsaved, useLeave } from './use-leave.tsx'

interface SideSheetProps extends Unsaved {
  onClose: () => void
  title: string
  head?: ReactNode
  foot?: ReactNode
  children: ReactNode
}

const panel =
  'fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-xl bg-surface text-ink shadow-one data-[state=open]:animate-rise pb-[env(safe-area-inset-bottom)] focus:outline-none sm:inset-y-0 sm:start-auto sm:end-0 sm:max-h-none sm:w-[min(480px,calc(100vw-64px))] sm:rounded-none sm:rounded-s-xl sm:data-[state=open]:animate-arrive sm:pb-0'

/**
 * A dialog for long content: at the side of the window from 640 px, a sheet at the bottom below that. Load it lazily.
 */
export function SideSheet({ onClose, title, head, foot, children, ...unsaved }: SideSheetProps) {
  const { t } = useTranslation('ui')
  const { leave, watch, ask } = useLeave(unsaved, onClose)
  // The sheet itself gets the focus, so that screen readers announce its title and no button shows a focus ring.
  const before = useRef<Element>(null)
  const enter = (event: Event) => {
    before.current = document.activeElement
    event.preventDefault()
    if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
  }
  useBackCloses(true, leave)
  const giveBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  return (
    <Radix.Root open onOpenChange={leave}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 data-[state=open]:animate-fade bg-[rgb(20_12_8/.5)]" />
        <Radix.Content
          className={panel}
          onOpenAutoFocus={enter}
          onCloseAutoFocus={giveBack}
          onInput={watch}
          aria-describedby={undefined}
        >
          <header className="px-6 pt-5 pb-4">
            <div className="flex items-start gap-4">
              <Radix.Title className="display min-w-0 flex-1 pt-2 text-xl wrap-anywhere">{title}</Radix.Title>
              <Radix.Close asChild>
                <IconButton label={t('close')} icon={<X aria-hidden="true" />} className="-me-2" />
              </Radix.Close>
            </div>
            {head && <div className="mt-3">{head}</div>}
          </header>
          <div className="min-h-0 flex-auto overflow-y-auto px-6 pb-6">{children}</div>
          {ask ||
            (foot && (
              <footer className="flex items-center justify-between gap-3 border-t border-line px-6 py-4">{foot}</footer>
            ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
