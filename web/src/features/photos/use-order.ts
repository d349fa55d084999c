import {
  type Announcements,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { by } from '@duet/contract/order.ts'
import type { OwnPhoto } from '@duet/contract/photos.ts'
import type { ProfileChanges } from '@duet/contract/profiles.ts'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Trials, useTried } from '../../platform/query/trials.ts'
import { toast } from '../../platform/toast.ts'
import { ownDetailsKey } from '../accounts/accounts.ts'
import { useUpdateUser } from '../profiles/profiles.ts'
import { moved } from './photo-files.ts'

const orderTrials: Trials<readonly OwnPhoto[], Partial<ProfileChanges>> = {
  queryKey: ownDetailsKey,
  apply: (photos, { images }) => (images ? photos.toSorted(by(({ fileName }) => images.indexOf(fileName))) : photos),
}

/**
 * My photos in the order shown, which the server may not have saved yet. Also returns functions that move photos, and
 * announcements for screen readers.
 */
export function useOrder(photos: readonly OwnPhoto[]) {
  const { t } = useTranslation('photos')
  const { mutateAsync: update } = useUpdateUser()
  const [said, setSaid] = useState('')
  const hasLeft = useRef(false)
  const ordered = useTried(orderTrials, photos) ?? photos
  const names = ordered.map(({ fileName }) => fileName)
  const placeOf = (id: UniqueIdentifier) => ({ n: names.indexOf(String(id)) + 1, count: names.length })

  const order = (from: number, to: number) =>
    void update({ images: moved(names, from, to) }).catch(() => toast.error(t('problem.order')))
  const move = (from: number, to: number) => {
    order(from, to)
    setSaid(t('order.put', { n: to + 1, count: names.length }))
  }
  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) order(names.indexOf(String(active.id)), names.indexOf(String(over.id)))
  }
  const announcements: Announcements = {
    onDragStart: () => {
      hasLeft.current = false
      return undefined
    },
    onDragOver: ({ active, over }) => {
      hasLeft.current ||= over?.id !== active.id
      if (!over) return undefined
      // The first event reports the photo's own position, once all positions are measured. The arrow keys work from
      // then on.
      return t(hasLeft.current ? 'order.over' : 'order.picked', placeOf(over.id))
    },
    onDragEnd: ({ over }) => (over ? t('order.put', placeOf(over.id)) : t('order.back')),
    onDragCancel: () => t('order.back'),
  }
  const accessibility = { announcements, screenReaderInstructions: { draggable: t('order.how') } }
  return { ordered, move, said, dragging: { onDragEnd, accessibility, sensors: useHands() } }
}

/** On touch screens, a press that rests for a moment drags the photo; an immediate movement scrolls the page. */
const useHands = () =>
  useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
