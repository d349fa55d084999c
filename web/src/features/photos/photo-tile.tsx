import { useSortable } from '@dnd-kit/sortable'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { ArrowLeft, ArrowRight, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../platform/toast.ts'
import { classNames } from '../../ui/class-names.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Photograph } from '../../ui/photograph.tsx'
import { DescribeDialog } from './describe-dialog.tsx'
import { useDeletePhoto } from './photos.api.ts'

interface PhotoTileProps {
  photo: OwnPhoto
  index: number
  count: number
  onMove: (from: number, to: number) => void
}

/** One of my photos: drag it, or use its menu. */
export function PhotoTile({ photo, index, count, onMove }: PhotoTileProps) {
  const { t } = useTranslation('photos')
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: photo.fileName })
  const place = transform && `translate3d(${transform.x}px, ${transform.y}px, 0)`
  return (
    <li
      ref={setNodeRef}
      style={{ transform: place ?? undefined, transition }}
      className={classNames('relative aspect-3/4 overflow-hidden rounded-m', isDragging && 'z-10 shadow-one')}
    >
      <div {...listeners} className="size-full cursor-grab touch-manipulation active:cursor-grabbing">
        <Photograph photo={photo} sizes="(min-width: 640px) 220px, 45vw" fallbackAlt={t('number', { n: index + 1 })} />
      </div>
      <ReviewNote state={photo.state} />
      <Acts {...{ photo, index, count, onMove }} />
    </li>
  )
}

function ReviewNote({ state }: { state: OwnPhoto['state'] }) {
  const { t } = useTranslation('photos')
  if (state === 'approved') return null
  const look = state === 'rejected' ? 'text-bad' : 'text-ink'
  return (
    <span
      className={classNames(
        'pointer-events-none absolute start-2 bottom-2 rounded-full bg-surface px-2.5 py-1 text-xs font-semibold',
        look,
      )}
    >
      {t(`state.${state}`)}
    </span>
  )
}

function Acts({ photo, index, count, onMove }: PhotoTileProps) {
  const { t } = useTranslation('photos')
  const [open, setOpen] = useState<'describe' | 'delete'>()
  const items = [
    {
      label: t('describe'),
      icon: <Pencil aria-hidden="true" />,
      onSelect: () => setOpen('describe'),
    },
    index > 0 && {
      label: t('earlier'),
      icon: <ArrowLeft aria-hidden="true" className="mirror" />,
      onSelect: () => onMove(index, index - 1),
    },
    index < count - 1 && {
      label: t('later'),
      icon: <ArrowRight aria-hidden="true" className="mirror" />,
      onSelect: () => onMove(index, index + 1),
    },
    { label: t('delete'), icon: <Trash2 aria-hidden="true" />, danger: true, onSelect: () => setOpen('delete') },
  ].filter((item) => item !== false)
  const trigger = (
    <button
      type="button"
      aria-label={t('change', { n: index + 1 })}
      className="absolute end-1.5 top-1.5 grid size-11 place-items-center rounded-full bg-surface text-ink shadow-one"
    >
      <EllipsisVertical aria-hidden="true" />
    </button>
  )
  const onOpenChange = (next: boolean) => !next && setOpen(undefined)
  return (
    <>
      <Menu trigger={trigger} items={items} />
      <DeleteConfirm fileName={photo.fileName} open={open === 'delete'} onOpenChange={onOpenChange} />
      {open === 'describe' && <DescribeDialog photo={photo} onClose={() => setOpen(undefined)} />}
    </>
  )
}

interface DeleteConfirmProps {
  fileName: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

function DeleteConfirm({ fileName, open, onOpenChange }: DeleteConfirmProps) {
  const { t } = useTranslation('photos')
  const remove = useDeletePhoto()
  const confirm = async () => {
    await remove.mutateAsync(fileName).catch(() => toast.error(t('problem.delete')))
  }
  return (
    <Confirm
      {...{ open, onOpenChange }}
      title={t('deleteTitle')}
      description={t('deleteText')}
      act={t('delete')}
      onConfirm={confirm}
    />
  )
}
