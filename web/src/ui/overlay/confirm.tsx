import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'
import { useOpening } from './use-opening.ts'

interface ConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  /** The button's label. Name the action: "Block Ines", never "OK". */
  act: string
  onConfirm: () => void | Promise<void>
  children?: ReactNode
}

export function Confirm({ open, onOpenChange, title, description, act, onConfirm, children }: ConfirmProps) {
  const { t } = useTranslation('ui')
  const [busy, setBusy] = useState(false)
  const begin = useOpening(open)
  const confirm = async () => {
    setBusy(true)
    const isStillOpen = begin()
    try {
      await onConfirm()
      if (isStillOpen()) onOpenChange(false)
    } finally {
      setBusy(false)
    }
  }
  const foot = (
    <>
      <Button variant="quiet" onClick={() => onOpenChange(false)}>
        {t('cancel')}
      </Button>
      <Button variant="danger" busy={busy} onClick={confirm}>
        {act}
      </Button>
    </>
  )
  return (
    <Dialog {...{ open, onOpenChange, title, foot }} description={description}>
      {children}
    </Dialog>
  )
}
