import { useSortable } from '@dnd-kit/sortable'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { ArrowLeft, ArrowRight, Crop, EllipsisVertical, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '../../platform/address/address.tsx'
import { toast } from '../../platform/toast.ts'
import { classNames } from '../../ui/class-names.ts'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { Photograph } from '../../ui/photo/photograph.tsx'
import { DescribeDialog } from './describe-dialog.tsx'
import { useDeletePhoto } from './photos.api.ts'

interface PhotoTileProps {
  photo: OwnPhoto
  index: number
  count: number
  onMove: (from: number, to: number) => void
  onCut: (photo: OwnPhoto, place: number) => void
}

export function PhotoTile({ photo, index, count, onMove, onCut }: PhotoTileProps) {
  const { t } = useTranslation('photos')
  const { setNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: photo.fileName,
    attributes: { roleDescription: t('order.what') },
  })
  const grip = { ...attributes, ...listeners, 'aria-label': t('number', { n: index + 1 }) }
  const place = transform && `translate3d(${transform.x}px, ${transform.y}px, 0)`
  return (
    <li
      ref={setNodeRef}
      style={{ transform: place ?? undefined, transition }}
      className={classNames('relative aspect-3/4 overflow-hidden rounded-m', isDragging && 'z-10 shadow-one')}
    >
      <div
        {...grip}
        className="size-full cursor-grab touch-manipulation rounded-m outline-white focus-visible:-outline-offset-4 active:cursor-grabbing"
      >
        <Photograph photo={photo} sizes="(min-width: 640px) 220px, 45vw" fallbackAlt={t('number', { n: index + 1 })} />
      </div>
      <ReviewNote {...photo} />
      <Acts {...{ photo, index, count, onMove, onCut }} />
    </li>
  )
}

function ReviewNote({ state, visible }: Pick<OwnPhoto, 'state' | 'visible'>) {
  const { t } = useTranslation('photos')
  if (state === 'approved') return null
  const look = 'absolute inset-x-2 bottom-2 w-fit rounded-m bg-surface px-2.5 py-1.5 text-xs/[1.35] font-semibold'
  if (state === 'rejected')
    return (
      <Link to="/standing" className={classNames(look, 'text-bad underline after:absolute after:-inset-2')}>
        {t('state.rejected')}
      </Link>
    )
  return (
    <span className={classNames(look, 'pointer-events-none text-ink')}>
      {t(visible ? 'state.visible' : 'state.pending')}
    </span>
  )
}

function Acts({ photo, index, count, onMove, onCut }: PhotoTileProps) {
  const { t } = useTranslation('photos')
  const [open, setOpen] = useState<'describe' | 'delete'>()
  const items = [
    { label: t('crop.act'), icon: <Crop aria-hidden="true" />, onSelect: () => onCut(photo, index) },
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
