import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'
import { Extra } from '../boundary.tsx'
import { lazily } from '../lazily.tsx'
import type { MenuItem } from './menu-list.tsx'

const MenuList = lazily(() => import('./menu-list.tsx'))

interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>
  items: readonly MenuItem[]
}

export function Menu({ trigger, items }: MenuProps) {
  const [used, setUsed] = useState(false)
  // Only the button is rendered until the first click. Hovering over or focusing it starts to load the menu.
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: MenuList.near,
    onFocus: MenuList.near,
    onClick: () => setUsed(true),
  })
  if (!used) return button
  return (
    <Extra fallback={button} onFail={() => setUsed(false)}>
      <MenuList {...{ trigger, items }} />
    </Extra>
  )
}
