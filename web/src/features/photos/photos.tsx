import { closestCenter, DndContext } from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext } from '@dnd-kit/sortable'
import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Extra } from '../../ui/boundary.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AddTile } from './add-tile.tsx'
import { PhotoTile } from './photo-tile.tsx'
import { useAdding } from './use-adding.tsx'
import { useOrder } from './use-order.ts'

export function PhotoEditor({ photos }: { photos: readonly OwnPhoto[] }) {
  return (
    <Extra fallback={<Skeleton className="aspect-3/2 rounded-m" />}>
      <Grid photos={photos} />
    </Extra>
  )
}

function Grid({ photos }: { photos: readonly OwnPhoto[] }) {
  const { t } = useTranslation('photos')
  const { add, cut, dialog, problem, opening, progress } = useAdding(limits.photos - photos.length)
  const { ordered, move, said, dragging } = useOrder(photos)
  const busy = progress === undefined ? opening && t('opening') : t('uploading')
  const names = ordered.map(({ fileName }) => fileName)
  const { list, keepAt } = useFocusKept(names.join())
  const onMove = (from: number, to: number) => {
    keepAt(to)
    move(from, to)
  }
  const onCut = (photo: OwnPhoto, place: number) => {
    keepAt(place)
    void cut(photo)
  }
  return (
    <div>
      <DndContext {...dragging} collisionDetection={closestCenter}>
        <SortableContext items={names} strategy={rectSortingStrategy}>
          <ul ref={list} aria-label={t('photos')} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {ordered.map((photo, index) => (
              <PhotoTile key={photo.fileName} {...{ photo, index, onMove, onCut }} count={ordered.length} />
            ))}
            {photos.length < limits.photos && <AddTile onAdd={(files) => void add(files)} busy={busy} />}
          </ul>
        </SortableContext>
      </DndContext>
      {progress !== undefined && (
        <Progress value={Math.round(progress * 100)} label={t('uploading')} className="mt-4" />
      )}
      {problem && (
        <p role="alert" className="mt-3 text-s font-medium text-bad">
          {problem}
        </p>
      )}
      <p className="mt-3 text-s text-ink-2">{t('hint')}</p>
      <p role="status" className="sr-only">
        {said}
      </p>
      {dialog}
    </div>
  )
}

/** If moving or replacing a photo removed the focused element, focuses the photo that is now in its place. */
function useFocusKept(names: string) {
  const list = useRef<HTMLUListElement>(null)
  const place = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `names` changes with the photos and their order
  useLayoutEffect(() => {
    const acts = list.current?.querySelectorAll<HTMLElement>('li button[aria-haspopup=menu]')
    if (place.current === undefined || document.activeElement !== document.body) return
    acts?.[place.current]?.focus()
    place.current = undefined
  }, [names])
  const keepAt = (at: number) => {
    place.current = at
  }
  return { list, keepAt }
}
