import type { ComponentProps } from 'react'
import { Button } from '../../../ui/button.tsx'
import { KeyCap } from './key-cap.tsx'

interface KeyButtonProps extends ComponentProps<typeof Button> {
  /** The key that does the same. */
  shortcut: string
}

/** A quiet button of a case, with its key. */
export function KeyButton({ shortcut, children, ...rest }: KeyButtonProps) {
  return (
    <Button variant="quiet" size="s" aria-keyshortcuts={shortcut} {...rest}>
      {children}
      <KeyCap>{shortcut}</KeyCap>
    </Button>
  )
}
