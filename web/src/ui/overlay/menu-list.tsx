import { DropdownMenu } from 'radix-ui'
import { type ReactElement, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../class-names.ts'
import { isTouched, useBackCloses } from './use-back-closes.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
}

/** Open from the start, because `menu.tsx` loads it at the first click. */
export default function MenuList({ trigger, items }: { trigger: ReactElement; items: readonly MenuItem[] }) {
  const { i18n } = useTranslation()
  const [open, setOpen] = useState(true)
  useBackCloses(open && isTouched(), () => setOpen(false))
  // Runs after the menu has closed and returned the focus to the button, so that a dialog opened by the item can also
  // return the focus there.
  const chosen = useRef<() => void>(undefined)
  const act = () => {
    const { current } = chosen
    chosen.current = undefined
    if (current) queueMicrotask(current)
  }
  return (
    <DropdownMenu.Root open={open} onOpenChange={setOpen} dir={i18n.dir()}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          onCloseAutoFocus={act}
          // Animates only on opening: Radix would wait for the end of a closing animation that never starts.
          className="z-30 max-w-[calc(100vw-24px)] min-w-52 data-[state=open]:animate-arrive rounded-l bg-surface p-1.5 text-ink shadow-one inset-ring inset-ring-line"
        >
          {items.map(({ label, icon, danger, onSelect }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={() => {
                chosen.current = onSelect
              }}
              className={classNames(
                'flex h-11 cursor-pointer items-center gap-3 rounded-m px-3.5 font-medium outline-none data-highlighted:bg-sunken [&_.lucide]:size-4.5',
                danger && 'text-bad',
              )}
            >
              {icon}
              <span className="truncate">{label}</span>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
