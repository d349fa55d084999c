import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { Extra } from '../../ui/boundary.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useBlock, useUnblock } from './safety.api.ts'

interface BlockConfirmProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  person: { id: string; name: string }
  onBlocked: () => void
}

/** Mounts when it opens, so that its texts load on demand. */
export function BlockConfirm(props: BlockConfirmProps) {
  return props.open ? (
    <Extra onFail={() => props.onOpenChange(false)}>
      <Asking {...props} />
    </Extra>
  ) : null
}

function Asking({ open, onOpenChange, person, onBlocked }: BlockConfirmProps) {
  const { t } = useTranslation('safety')
  const block = useBlock()
  const unblock = useUnblock()
  const takeBack = () => unblock.mutateAsync(person.id).catch(() => toast.error(t('unblockFailed')))
  const undo = { label: t('undo'), onUndo: () => void takeBack() }
  const confirm = async () => {
    try {
      await block.mutateAsync(person.id)
      toast.success(t('blocked', { name: person.name }), { undo })
      onBlocked()
    } catch {
      toast.error(t('blockFailed'))
    }
  }
  return (
    <Confirm
      {...{ open, onOpenChange }}
      title={t('blockTitle', { name: person.name })}
      description={t('blockText')}
      act={t('block', { name: person.name })}
      onConfirm={confirm}
    />
  )
}
