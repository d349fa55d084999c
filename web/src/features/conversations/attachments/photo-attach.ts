import { limits } from '@duet/contract/limits.ts'
import { type ClipboardEvent, type DragEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
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

/** Why a photo is not ready: a key of the texts under `problem`. */
export type PhotoProblem = UploadProblem | 'onlyOne'

/** A photo that was picked; it is uploaded at once, and `attachment` is there when it is done. */
export interface PickedPhoto {
  file: File
  /** Shows it before it is uploaded. */
  preview: string
  /** From 0 to 1. */
  progress: number
  attachment?: PhotoAttachment
}

/** The one photo that may go with the message that is being written. */
export interface PhotoAttach {
  picked: PickedPhoto | undefined
  problem: PhotoProblem | undefined
  /** It is on its way up: the message has to wait. */
  busy: boolean
  /** A file is held above. */
  over: boolean
  pick: (files: readonly File[]) => void
  retry: () => void
  /** Takes it away, or what was said against it: it was given up, or has gone with a message. */
  remove: () => void
  onPaste: (event: ClipboardEvent) => void
  /** For the element on which photos may be dropped. */
  dropProps: Record<'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
}

const isPicture = ({ type }: File) => type.startsWith('image/')

/** Picks, pastes and drops the photo of a message to `peerId`. */
export function usePhotoAttach(peerId: string): PhotoAttach {
  const { picked, problem, pick, retry, remove } = useUpload(peerId)
  const drop = useDrop(pick)
  const onPaste = useCallback(
    (event: ClipboardEvent) => {
      const pictures = [...event.clipboardData.files].filter(isPicture)
      if (pictures.length === 0) return
      event.preventDefault()
      pick(pictures)
    },
    [pick],
  )
  // That there were more of them holds none up.
  const isStuck = problem !== undefined && problem !== 'onlyOne'
  const busy = picked !== undefined && !picked.attachment && !isStuck
  return { picked, problem, busy, pick, retry, remove, onPaste, ...drop }
}

const tooLarge = new Error('too large')

async function sendUp(peerId: string, file: File, watching: Watching): Promise<PhotoAttachment> {
  const photo = await shrinkPhoto(file)
  watching.signal?.throwIfAborted()
  if (photo.size > limits.photoBytes) throw tooLarge
  return uploadPhoto(peerId, photo, watching)
}

function useUpload(peerId: string) {
  const [picked, setPicked] = useState<PickedPhoto>()
  const [problem, setProblem] = useState<PhotoProblem>()
  const running = useRef<AbortController>(undefined)
  const clear = useCallback(() => {
    running.current?.abort()
    setPicked((before) => void (before && URL.revokeObjectURL(before.preview)))
    setProblem(undefined)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was picked for one person is not for another
  useEffect(() => clear, [peerId, clear])
  const start = useCallback(
    (photo: PickedPhoto) => {
      running.current = new AbortController()
      const { signal } = running.current
      const onProgress = (progress: number) => setPicked((now) => now && { ...now, progress })
      setPicked({ ...photo, progress: 0 })
      sendUp(peerId, photo.file, { onProgress, signal }).then(
        (attachment) => !signal.aborted && setPicked((now) => now && { ...now, progress: 1, attachment }),
        (error) => !signal.aborted && setProblem(error === tooLarge ? 'tooLarge' : uploadProblem(error)),
      )
    },
    [peerId],
  )
  const pick = useCallback(
    ([file, ...others]: readonly File[]) => {
      if (!file) return
      clear()
      if (!accepted.has(file.type)) return setProblem('wrongType')
      start({ file, preview: URL.createObjectURL(file), progress: 0 })
      if (others.length > 0) setProblem('onlyOne')
    },
    [clear, start],
  )
  const retry = () => {
    setProblem(undefined)
    if (picked) start(picked)
  }
  return { picked, problem, pick, retry, remove: clear }
}

const holdsFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

function useDrop(pick: (files: readonly File[]) => void): Pick<PhotoAttach, 'over' | 'dropProps'> {
  const [over, setOver] = useState(false)
  const dropProps = useMemo(
    () => ({
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
    }),
    [pick],
  )
  return { over, dropProps }
}
