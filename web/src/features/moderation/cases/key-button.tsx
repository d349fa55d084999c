import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'
import { KeyCap } from './key-cap.tsx'

interface KeyButtonProps extends ComponentProps<typeof Button> {
  shortcut: string
}

export function KeyButton({ shortcut, children, ...rest }: KeyButtonProps) {
  return (
    <Button variant="quiet" size="s" aria-keyshortcuts={shortcut} {...rest}>
      {children}
      <KeyCap>{shortcut}</KeyCap>
    </Button>
  )
}
