import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../icon-button.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { type Unsaved, useLeave } from './use-leave.tsx'

export interface DialogProps extends Unsaved {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** Buttons below the content, which stay visible while the content scrolls. */
  foot?: ReactNode
  children?: ReactNode
}

const panel =
  'fixed inset-x-0 bottom-0 z-40 flex max-h-[92dvh] flex-col rounded-t-xl bg-surface text-ink shadow-one data-[state=open]:animate-rise pb-[env(safe-area-inset-bottom)] focus:outline-none sm:inset-0 sm:m-auto sm:h-fit sm:max-h-[86dvh] sm:w-[min(520px,calc(100vw-48px))] sm:rounded-xl sm:data-[state=open]:animate-arrive sm:pb-0'

// Escape closes only the topmost element, so an open combobox list closes before its dialog.
function leaveToList(event: KeyboardEvent): void {
  const isOpenList = '[role=combobox][aria-expanded=true]'
  if (event.target instanceof Element && event.target.matches(isOpenList)) event.preventDefault()
}

export default function DialogPanel({
  open,
  onOpenChange,
  title,
  description,
  foot,
  children,
  ...unsaved
}: DialogProps) {
  const { t } = useTranslation('ui')
  const { leave, watch, ask } = useLeave({ open, ...unsaved }, () => onOpenChange(false))
  // The dialog has no trigger for Radix to return the focus to, so this stores the element that had the focus.
  const before = useRef<Element>(null)
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement
  }, [open])
  useBackCloses(open, leave)
  const giveBack = () => {
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  return (
    <Radix.Root open={open} onOpenChange={leave}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 data-[state=open]:animate-fade bg-[rgb(20_12_8/.5)]" />
        <Radix.Content
          className={panel}
          onCloseAutoFocus={giveBack}
          onEscapeKeyDown={leaveToList}
          onInput={watch}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="flex items-start gap-4 px-6 pt-5 pb-2">
            <Radix.Title className="display min-w-0 flex-1 pt-2 text-xl wrap-anywhere">{title}</Radix.Title>
            {!unsaved.holds && (
              <Radix.Close asChild>
                <IconButton label={t('close')} icon={<X aria-hidden="true" />} className="-me-2" />
              </Radix.Close>
            )}
          </header>
          {/* Not `flex-1`: in a dialog sized by its content, WebKit collapses an item with a flex basis of 0%. */}
          <div className="min-h-0 flex-auto overflow-y-auto px-6 pb-6">
            {description && (
              <Radix.Description className="text-ink-2 wrap-anywhere not-last:mb-4">{description}</Radix.Description>
            )}
            {children}
          </div>
          {ask || (foot && <footer className="flex justify-end gap-3 border-t border-line px-6 py-4">{foot}</footer>)}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
