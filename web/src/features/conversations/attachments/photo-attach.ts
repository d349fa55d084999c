import { type ClipboardEvent, type DragEvent, useCallback, useEffect, useRef, useState } from 'react'
import { useDropGuard } from '../../../platform/picture/drop-guard.ts'
import { kindOf } from '../../../platform/picture/picture-kind.ts'
import { type PictureProblem, preparePicture, type ReadyPicture } from '../../../platform/picture/prepare-picture.ts'
import { useUnsent } from '../../../platform/service-worker.ts'
import {
  mostPhotos,
  type PhotoAttachment,
  type UploadProblem,
  uploadPhoto,
  uploadProblem,
  type Watching,
} from './attachments.api.ts'

/** Photos are never downscaled so far that the shorter side falls below this many pixels. */
const shortestSide = 200

/** A picked photo. Its upload starts immediately; `attachment` is set when the upload finishes. */
export interface PickedPhoto {
  id: number
  file: File
  /** An object URL of the photo for use before the upload finishes; unset until the file has been opened. */
  preview?: string
  progress: number
  attachment?: PhotoAttachment
  problem?: UploadProblem | undefined
}

export type LeftOut = { problem: PictureProblem; file: string } | { problem: 'tooMany' }

export interface PhotoAttach {
  photos: readonly PickedPhoto[]
  ready: readonly PhotoAttachment[]
  leftOut: readonly LeftOut[]
  busy: boolean
  over: boolean
  pick: (files: readonly File[]) => Promise<void>
  retry: () => void
  remove: (photo: PickedPhoto) => void
  dismiss: () => void
  sent: () => void
  onPaste: (event: ClipboardEvent) => void
  dropProps: Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
}

/** Returns the pasted images. An image that accompanies text, as when copying spreadsheet cells, isn't included. */
function picturesIn(pasted: DataTransfer): File[] {
  const files = [...pasted.files]
  // When a file is copied, some browsers also put its name on the clipboard as plain text.
  const text = pasted.getData('text/plain').trim()
  const isText = text !== '' && text !== files.map(({ name }) => name).join('\n')
  // Some browsers report no type for a copied file, so `pick` determines it from the file's bytes.
  return isText ? [] : files.filter(({ type }) => type === '' || type.startsWith('image/'))
}

export function usePhotoAttach(peerId: string): PhotoAttach {
  const { photos, shown, start, add, remove } = useUploads(peerId, (problem, { name }) =>
    leave({ problem, file: name }),
  )
  useUnsent(photos.length > 0)
  const [leftOut, setLeftOut] = useState<readonly LeftOut[]>([])
  const leave = (what: LeftOut) => setLeftOut((now) => [...now, what])
  const dismiss = () => setLeftOut([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: dismisses the errors when the person changes
  useEffect(() => dismiss, [peerId])
  const pick = async (files: readonly File[]) => {
    dismiss()
    // An unreadable file isn't rejected yet; opening it will report the error.
    const kinds = await Promise.all(files.map((file) => kindOf(file).catch(() => 'unread')))
    const fitting = files.filter((_, place) => kinds[place])
    const room = mostPhotos - shown.current.length
    for (const file of files) if (!fitting.includes(file)) leave({ problem: 'wrongType', file: file.name })
    for (const file of fitting.slice(0, room)) add(file)
    if (fitting.length > room) leave({ problem: 'tooMany' })
  }
  const onPaste = (event: ClipboardEvent) => {
    const pictures = picturesIn(event.clipboardData)
    if (pictures.length === 0) return
    event.preventDefault()
    void pick(pictures)
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

let lastId = 0

function useUploads(peerId: string, onLeftOut: (problem: PictureProblem, file: File) => void) {
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const running = useRef(new Map<PickedPhoto['id'], AbortController>())
  const prepareInTurn = usePrepareInTurn()
  const change = (id: number, changes: Partial<PickedPhoto>) =>
    setPhotos((now) => now.map((photo) => (photo.id === id ? { ...photo, ...changes } : photo)))
  const remove = useCallback(({ id, preview }: PickedPhoto) => {
    running.current.get(id)?.abort()
    running.current.delete(id)
    if (preview) URL.revokeObjectURL(preview)
    setPhotos((now) => now.filter((photo) => photo.id !== id))
  }, [])
  const shown = useRef(photos)
  shown.current = photos
  // biome-ignore lint/correctness/useExhaustiveDependencies: removes the photos when the person changes
  useEffect(() => () => shown.current.forEach(remove), [peerId, remove])
  const sendUp = async (photo: PickedPhoto, watching: Watching) => {
    const ready = photo.preview ? photo : await prepareInTurn(photo.file, watching.signal)
    watching.signal?.throwIfAborted()
    if (typeof ready === 'string') {
      remove(photo)
      onLeftOut(ready, photo.file)
      return undefined
    }
    if (!photo.preview) change(photo.id, { file: ready.file, preview: URL.createObjectURL(ready.file) })
    return uploadPhoto(peerId, ready.file, watching)
  }
  const start = (photo: PickedPhoto) => {
    const { id } = photo
    const stop = new AbortController()
    running.current.set(id, stop)
    const { signal } = stop
    change(id, { progress: 0, problem: undefined })
    sendUp(photo, { signal, onProgress: (progress) => change(id, { progress }) }).then(
      (attachment) => attachment && !signal.aborted && change(id, { progress: 1, attachment }),
      (error) => !signal.aborted && change(id, { problem: uploadProblem(error) }),
    )
  }
  const add = (file: File) => {
    const photo = { id: ++lastId, file, progress: 0 }
    setPhotos((now) => [...now, photo])
    start(photo)
  }
  return { photos, shown, add, start, remove }
}

/** Opens one photo at a time, because decoding several large photos at once can exhaust a phone's memory. */
function usePrepareInTurn() {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  return (file: File, signal: AbortSignal | undefined): Promise<ReadyPicture | PictureProblem> => {
    const ready = last.current.then(() => {
      signal?.throwIfAborted()
      return preparePicture(file, shortestSide, signal)
    })
    last.current = ready.catch(() => undefined)
    return ready
  }
}

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

function useDrop(pick: PhotoAttach['pick']): Pick<PhotoAttach, 'over' | 'dropProps'> {
  useDropGuard()
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
      void pick([...event.dataTransfer.files])
    },
  }
  return { over, dropProps }
}
