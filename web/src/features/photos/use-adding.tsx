import type { OwnPhoto } from '@duet/contract/photos.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDropGuard } from '../../platform/picture/drop-guard.ts'
import { type PictureProblem, preparePicture } from '../../platform/picture/prepare-picture.ts'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { Extra } from '../../ui/boundary.tsx'
import { lazily } from '../../ui/lazily.tsx'
import { fitsCard, isTooSmall, widest } from './crop/crop.ts'
import { useAddPhotos } from './photos.api.ts'

const CropDialog = lazily(() => import('./crop/crop-dialog.tsx'))

const knownProblems: Partial<Record<string, string>> = {
  // The file's type and size were checked before the upload, so the first three errors concern the image itself.
  payload_too_large: 'tooManyPixels',
  unsupported_media_type: 'damaged',
  validation_failed: 'tooSmall',
  photo_limit_reached: 'tooMany',
  rate_limited: 'tooOften',
}

/** If `asks` is true, a card would cut off much of the picture, so the person chooses the crop. */
interface Picked {
  file: File
  asks: boolean
}

/** The picture in the crop dialog, the files already processed, and the files still to come. */
interface Choosing {
  picture: Blob
  done: File[]
  rest: Picked[]
  replaces?: string
}

/** Opens one file at a time. `problem` is the reason why the first rejected file was rejected. */
async function openAll(files: readonly File[], room: number) {
  const picked: Picked[] = []
  let problem: PictureProblem | 'tooSmall' | 'tooMany' | undefined
  for (const file of files) {
    if (picked.length === room) return { picked, problem: problem ?? 'tooMany' }
    const ready = await preparePicture(file, widest)
    if (typeof ready === 'string') problem ??= ready
    else if (ready.size && isTooSmall(ready.size)) problem ??= 'tooSmall'
    // If this browser can't open the picture, upload it and let the server validate it.
    else picked.push({ file: ready.file, asks: ready.size !== undefined && !fitsCard(ready.size) })
  }
  return { picked, problem }
}

export function useAdding(room: number) {
  const { t } = useTranslation('photos')
  const adding = useAddPhotos()
  useDropGuard()
  const [problem, setProblem] = useState<string>()
  const [opening, setOpening] = useState(false)
  const [choosing, setChoosing] = useState<Choosing>()
  const send = (files: readonly File[], replaces?: string) => {
    setChoosing(undefined)
    if (files.length === 0) return
    const onError = (error: Error) => setProblem(t(`problem.${knownProblems[problemCode(error)] ?? 'failed'}`))
    adding.mutate({ files, replaces }, { onError })
  }
  const ask = (done: File[], picked: Picked[]) => {
    const next = picked.findIndex(({ asks }) => asks)
    const one = picked[next]
    const ready = picked.slice(0, one ? next : undefined).map(({ file }) => file)
    if (one) setChoosing({ picture: one.file, done: [...done, ...ready], rest: picked.slice(next + 1) })
    else send([...done, ...ready])
  }
  const add = async (files: readonly File[]) => {
    setProblem(undefined)
    setOpening(true)
    const { picked, problem: wrong } = await openAll(files, room)
    setOpening(false)
    setProblem(wrong && t(`problem.${wrong}`))
    ask([], picked)
  }
  const cut = async ({ url, fileName }: OwnPhoto) => {
    setProblem(undefined)
    const picture = await readPicture(url)
    if (picture) setChoosing({ picture, done: [], rest: [], replaces: fileName })
    else toast.error(t('problem.open'))
  }
  const dialog = choosing && (
    <Extra onFail={() => setChoosing(undefined)}>
      <CropDialog
        key={choosing.rest.length}
        picture={choosing.picture}
        onUse={(part) =>
          choosing.replaces ? send([part], choosing.replaces) : ask([...choosing.done, part], choosing.rest)
        }
        onWhole={
          choosing.picture instanceof File
            ? () => ask([...choosing.done, choosing.picture as File], choosing.rest)
            : undefined
        }
        onClose={() => ask(choosing.done, choosing.rest)}
      />
    </Extra>
  )
  return { add, cut, dialog, problem, opening, progress: adding.isPending ? adding.progress : undefined }
}

const readPicture = (url: string): Promise<Blob | undefined> =>
  fetch(url)
    .then((answer) => (answer.ok ? answer.blob() : undefined))
    .catch(() => undefined)
