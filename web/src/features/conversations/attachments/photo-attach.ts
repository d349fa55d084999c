import { limits } from '@duet/contract/limits.ts'
import { type ClipboardEvent, type DragEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useUnsent } from '../../../platform/service-worker.ts'
import {
  mostPhotos,
  type PhotoAttachment,
  type UploadProblem,
  uploadPhoto,
  uploadProblem,
  type Watching,
} from './attachments.api.ts'
import { shrinkPhoto } from './photo-shrink.ts'

const accepted = new Set(['image/jpeg', 'image/png', 'image/webp'])
/** What the file dialog offers. */
export const photoTypes = [...accepted].join(',')

/** A photo that was picked; it is uploaded at once, and `attachment` is there when it is done. */
export interface PickedPhoto {
  id: number
  file: File
  /** Shows it before it is uploaded. */
  preview: string
  /** From 0 to 1. */
  progress: number
  attachment?: PhotoAttachment
  /** Why it was not uploaded. */
  problem?: UploadProblem | undefined
}

/** Why something was left out: a file, or those beyond the last that go at once. */
export type LeftOut = { problem: 'wrongType' | 'tooLarge'; file: string } | { problem: 'tooMany' }

/** The photos that go with what is being written, in their order. */
export interface PhotoAttach {
  photos: readonly PickedPhoto[]
  /** Those that are uploaded. */
  ready: readonly PhotoAttachment[]
  leftOut: readonly LeftOut[]
  /** Some are on their way up: the message has to wait. */
  busy: boolean
  /** A file is held above. */
  over: boolean
  /** Adds photos to those that are there. */
  pick: (files: readonly File[]) => void
  /** Uploads again what could not be uploaded. */
  retry: () => void
  remove: (photo: PickedPhoto) => void
  /** Takes away what was said of files that were left out. */
  dismiss: () => void
  /** Those that are uploaded have gone. */
  sent: () => void
  onPaste: (event: ClipboardEvent) => void
  /** For the element on which photos may be dropped. */
  dropProps: Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
}

const isPicture = ({ type }: File) => type.startsWith('image/')

/** Picks, pastes and drops the photos of a message to `peerId`. */
export function usePhotoAttach(peerId: string): PhotoAttach {
  const { photos, start, add, remove } = useUploads(peerId, (file) => leave({ problem: 'tooLarge', file: file.name }))
  useUnsent(photos.length > 0)
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([])
  const leave = (what: LeftOut) => setLeftOut((now) => [...now, what])
  const dismiss = () => setLeftOut([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said of files for one person is not for another
  useEffect(() => dismiss, [peerId])
  const pick = (files: readonly File[]) => {
    const room = mostPhotos - photos.length
    const fitting = files.filter(({ type }) => accepted.has(type))
    dismiss()
    for (const file of files) if (!fitting.includes(file)) leave({ problem: 'wrongType', file: file.name })
    for (const file of fitting.slice(0, room)) add(file)
    if (fitting.length > room) leave({ problem: 'tooMany' })
  }
  const onPaste = (event: ClipboardEvent) => {
    const pictures = [...event.clipboardData.files].filter(isPicture)
    if (pictures.length === 0) return
    event.preventDefault()
    pick(pictures)
  }
  const sent = () => {
    for (const photo of photos) if (photo.attachment) remove(photo)
    dismiss()
  }
  const retry = () => {
    for (const photo of photos) if (photo.problem) start(photo)
  }
  const ready = photos.flatMap(({ attachment }) => attachment ?? [])
  const busy = photos.some(({ attachment, problem }) => !attachment && !problem)
  return { photos, ready, leftOut, busy, pick, retry, remove, dismiss, sent, onPaste, ...useDrop(pick) }
}

const tooLarge = new Error('too large')
let lastId = 0

/** The photos that were picked, and how far each is on its way up. */
function useUploads(peerId: string, onTooLarge: (file: File) => void) {
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const running = useRef(new Map<PickedPhoto['id'], AbortController>())
  const shrinkInTurn = useShrinkInTurn()
  const change = (id: number, changes: Partial<PickedPhoto>) =>
    setPhotos((now) => now.map((photo) => (photo.id === id ? { ...photo, ...changes } : photo)))
  const remove = useCallback(({ id, preview }: PickedPhoto) => {
    running.current.get(id)?.abort()
    running.current.delete(id)
    URL.revokeObjectURL(preview)
    setPhotos((now) => now.filter((photo) => photo.id !== id))
  }, [])
  const shown = useRef(photos)
  shown.current = photos
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was picked for one person is not for another
  useEffect(() => () => shown.current.forEach(remove), [peerId, remove])
  const sendUp = async (file: File, watching: Watching) => {
    const photo = await shrinkInTurn(file)
    watching.signal?.throwIfAborted()
    if (photo.size > limits.photoBytes) throw tooLarge
    return uploadPhoto(peerId, photo, watching)
  }
  const start = (photo: PickedPhoto) => {
    const { id, file } = photo
    const stop = new AbortController()
    running.current.set(id, stop)
    const { signal } = stop
    const fail = (error: unknown) => {
      if (error !== tooLarge) return change(id, { problem: uploadProblem(error) })
      remove(photo)
      onTooLarge(file)
    }
    change(id, { progress: 0, problem: undefined })
    sendUp(file, { signal, onProgress: (progress) => change(id, { progress }) }).then(
      (attachment) => !signal.aborted && change(id, { progress: 1, attachment }),
      (error) => !signal.aborted && fail(error),
    )
  }
  const add = (file: File) => {
    const photo = { id: ++lastId, file, preview: URL.createObjectURL(file), progress: 0 }
    setPhotos((now) => [...now, photo])
    start(photo)
  }
  return { photos, add, start, remove }
}

/** Draws one photo after the other: several large ones at once are more than a phone can hold. */
function useShrinkInTurn() {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return (file: File): Promise<Blob> => {
    const shrunk = last.current.then(() => shrinkPhoto(file))
    last.current = shrunk
    return shrunk
  }
}

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

function useDrop(pick: (files: readonly File[]) => void): Pick<PhotoAttach, 'over' | 'dropProps'> {
  const [over, setOver] = useState(false)
  const dropProps = {
    onDragOver: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(false)
      pick([...event.dataTransfer.files])
    },
  }
  return { over, dropProps }
}
