import type { OwnPhoto } from '@duet/contract/photos.ts'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { problemCode } from '../../platform/problem.ts'
import { toast } from '../../platform/toast.ts'
import { fitsCard, isTooSmall, sizeOf } from './crop/crop.ts'
import { sortFiles } from './photo-files.ts'
import { useAddPhotos } from './photos.api.ts'

const CropDialog = lazy(() => import('./crop/crop-dialog.tsx'))

const knownProblems: Partial<Record<string, string>> = {
  payload_too_large: 'tooLarge',
  unsupported_media_type: 'wrongType',
  validation_failed: 'tooSmall',
  photo_limit_reached: 'tooMany',
  rate_limited: 'tooOften',
}

/** A file, and whether a card would cut much of it off: then its part is chosen first. */
interface Picked {
  file: File
  asks: boolean
}

/** The picture whose part is being chosen; those before and after it wait. */
interface Choosing {
  picture: Blob
  done: File[]
  rest: Picked[]
  /** The photo that it takes the place of. */
  replaces?: string
}

async function measure(files: readonly File[]): Promise<{ picked: Picked[]; small: boolean }> {
  const sizes = await Promise.all(files.map(sizeOf))
  const picked = files.flatMap((file, place) => {
    const size = sizes[place]
    // What cannot be opened here is the server's to judge.
    if (!size) return { file, asks: false }
    return isTooSmall(size) ? [] : { file, asks: !fitsCard(size) }
  })
  return { picked, small: picked.length < files.length }
}

/** Adds photos while `room` more fit, and cuts those that are there; what has to be chosen first is asked in `dialog`. */
export function useAdding(room: number) {
  const { t } = useTranslation('photos')
  const adding = useAddPhotos()
  const [problem, setProblem] = useState<string>()
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
    const { good, refusal } = sortFiles(files, room)
    const { picked, small } = await measure(good)
    const wrong = refusal ?? (small ? 'tooSmall' : undefined)
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
    <Suspense fallback={null}>
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
        // Only this one is left out.
        onClose={() => ask(choosing.done, choosing.rest)}
      />
    </Suspense>
  )
  return { add, cut, dialog, problem, progress: adding.isPending ? adding.progress : undefined }
}

const readPicture = (url: string): Promise<Blob | undefined> =>
  fetch(url)
    .then((answer) => (answer.ok ? answer.blob() : undefined))
    .catch(() => undefined)
