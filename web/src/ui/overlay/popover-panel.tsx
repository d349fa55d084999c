import { Popover as Radix } from 'radix-ui'
import type { ComponentProps, ReactElement, ReactNode, RefObject } from 'react'
import { classNames } from '../class-names.ts'
import { isTouched, useBackCloses } from './use-back-closes.ts'

export interface PopoverProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  label: string
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'center' | 'end'
  /** An offset along the button, away from `align`, in pixels. */
  alignOffset?: number
  flush?: boolean
  /** The element to focus when the popover closes; the button by default. */
  returnTo?: RefObject<HTMLElement | null> | undefined
  /** Called when the button is hovered over or focused. */
  onNear?: () => void
  className?: string
  children: ReactNode
}

export default function PopoverPanel({
  open,
  onOpenChange,
  label,
  trigger,
  align = 'end',
  alignOffset = 0,
  flush,
  returnTo,
  className,
  children,
}: PopoverProps) {
  useBackCloses(open && isTouched(), () => onOpenChange(false))
  const giveFocus = (event: Event) => {
    if (!returnTo?.current) return
    event.preventDefault()
    returnTo.current.focus()
  }
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          alignOffset={alignOffset}
          sideOffset={8}
          collisionPadding={flush ? 0 : 12}
          onCloseAutoFocus={giveFocus}
          className={classNames(
            'z-30 data-[state=open]:animate-arrive overflow-hidden rounded-l bg-surface text-ink shadow-one outline-1 outline-line focus:outline-1 focus:outline-line',
            !flush && 'max-w-[calc(100vw-24px)]',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
