import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext } from '@dnd-kit/sortable'
import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeOf } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Progress } from '../../ui/progress.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useUpdateUser } from '../profiles/profiles.ts'
import { AddTile } from './add-tile.tsx'
import { moved, sortFiles } from './photo-files.ts'
import { PhotoTile } from './photo-tile.tsx'
import { useAddPhotos } from './photos.api.ts'

const knownProblems: Partial<Record<string, string>> = {
  payload_too_large: 'tooLarge',
  unsupported_media_type: 'wrongType',
  photo_limit_reached: 'tooMany',
  rate_limited: 'tooOften',
}

/** My photos: add, order, describe and delete them. Everything is saved at once. */
export function PhotoEditor({ photos }: { photos: readonly OwnPhoto[] }) {
  return (
    <Suspense fallback={<Skeleton className="aspect-3/2 rounded-m" />}>
      <Grid photos={photos} />
    </Suspense>
  )
}

function useAdding(room: number) {
  const { t } = useTranslation('photos')
  const adding = useAddPhotos()
  const [problem, setProblem] = useState<string>()
  const add = (files: readonly File[]) => {
    const { good, refusal } = sortFiles(files, room)
    setProblem(refusal && t(`problem.${refusal}`))
    if (good.length === 0) return
    adding.mutate(good, { onError: (error) => setProblem(t(`problem.${knownProblems[codeOf(error)] ?? 'failed'}`)) })
  }
  return { add, problem, progress: adding.isPending ? adding.progress : undefined }
}

function useOrder(photos: readonly OwnPhoto[]) {
  const { t } = useTranslation('photos')
  const update = useUpdateUser()
  const wanted = update.isPending ? update.variables.images : undefined
  const ordered = wanted ? photos.toSorted((a, b) => wanted.indexOf(a.fileName) - wanted.indexOf(b.fileName)) : photos
  const names = ordered.map(({ fileName }) => fileName)
  const move = (from: number, to: number) =>
    update.mutate({ images: moved(names, from, to) }, { onError: () => toast.error(t('problem.order')) })
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(names.indexOf(String(active.id)), names.indexOf(String(over.id)))
  }
  return { ordered, move, onDragEnd }
}

function Grid({ photos }: { photos: readonly OwnPhoto[] }) {
  const { t } = useTranslation('photos')
  const { add, problem, progress } = useAdding(limits.photos - photos.length)
  const { ordered, move, onDragEnd } = useOrder(photos)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
  )
  return (
    <div>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
        <SortableContext items={ordered.map(({ fileName }) => fileName)} strategy={rectSortingStrategy}>
          <ul aria-label={t('photos')} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {ordered.map((photo, index) => (
              <PhotoTile key={photo.fileName} {...{ photo, index }} count={ordered.length} onMove={move} />
            ))}
            {photos.length < limits.photos && <AddTile onAdd={add} busy={progress !== undefined} />}
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
    </div>
  )
}
