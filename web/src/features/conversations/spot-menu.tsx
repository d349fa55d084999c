import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../ui/class-names.ts'
import type { MenuItem } from '../../ui/overlay/menu-list.tsx'
import { isTouched, useBackCloses } from '../../ui/overlay/use-back-closes.ts'
import type { Spot } from './thread-acts.ts'

interface SpotMenuProps {
  spot: Spot
  label: string
  items: readonly MenuItem[]
  head?: ReactNode
  onClose: () => void
}

/**
 * A menu at the pointer. `onClose` is called when the person dismisses it. The parent must also close it after a
 * choice, and it decides where the focus goes.
 */
export default function SpotMenu({ spot, label, items, head, onClose }: SpotMenuProps) {
  const { i18n } = useTranslation()
  useBackCloses(isTouched(), onClose)
  return (
    <DropdownMenu.Root open dir={i18n.dir()}>
      <DropdownMenu.Trigger asChild>
        <span
          aria-hidden="true"
          className="pointer-events-none fixed"
          style={{ left: spot.x, top: spot.y, width: spot.width ?? 0, height: spot.height ?? 0 }}
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={label}
          // By default the menu would be labelled by its trigger, which has no name.
          aria-labelledby={undefined}
          align={spot.align ?? 'start'}
          sideOffset={4}
          collisionPadding={12}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onEscapeKeyDown={onClose}
          onInteractOutside={onClose}
          className="z-30 min-w-56 data-[state=open]:animate-arrive rounded-l bg-surface p-1.5 text-ink shadow-one inset-ring inset-ring-line"
        >
          {head}
          {items.map(({ label: name, icon, danger, onSelect }) => (
            <DropdownMenu.Item
              key={name}
              onSelect={onSelect}
              className={classNames(
                'flex h-11 cursor-pointer items-center gap-3 rounded-m px-3.5 font-medium outline-none data-highlighted:bg-sunken [&_.lucide]:size-4.5',
                danger && 'text-bad',
              )}
            >
              {icon}
              {name}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
