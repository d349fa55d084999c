import { type ComponentProps, cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import type { MenuItem } from './menu-list.tsx'

const load = () => import('./menu-list.tsx')
const MenuList = lazy(load)

interface MenuProps {
  trigger: ReactElement<ComponentProps<'button'>>
  items: readonly MenuItem[]
}

/** A list of acts behind one button. */
export function Menu({ trigger, items }: MenuProps) {
  const [used, setUsed] = useState(false)
  // Until the first click there is only the button, which begins to load the rest when someone comes near.
  const button = cloneElement(trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void load(),
    onFocus: () => void load(),
    onClick: () => setUsed(true),
  })
  if (!used) return button
  return (
    <Suspense fallback={button}>
      <MenuList {...{ trigger, items }} />
    </Suspense>
  )
}
