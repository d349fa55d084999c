import { limits } from '@duet/contract/limits.ts'
import type { OwnPhoto, OwnPhotos } from '@duet/contract/photos.ts'
import { ImagePlus, Trash2 } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, upload } from '../../platform/call.ts'
import { codeOf } from '../../platform/problem.ts'
import { Photograph } from '../../ui/photograph.tsx'
import { Progress } from '../../ui/progress.tsx'
import { problemWords } from './problem-words.ts'
import type { ProfileStepProps } from './profile-steps.tsx'
import { StepFrame } from './step-frame.tsx'

const ownWords: Partial<Record<string, string>> = {
  payload_too_large: 'tooLarge',
  unsupported_media_type: 'unsupported',
  photo_limit_reached: 'full',
}

function photoForm(file: File): FormData {
  const form = new FormData()
  form.set('file', file)
  form.set('size', String(file.size))
  form.set('name', file.name)
  return form
}

function usePhotos({ details, onChange }: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const [progress, setProgress] = useState<number>()
  const [error, setError] = useState<string>()
  const run = async (act: () => Promise<OwnPhotos>) => {
    setError(undefined)
    try {
      onChange({ ...details, ...(await act()) })
    } catch (problem) {
      const own = ownWords[codeOf(problem)]
      setError(own ? t(`photos.${own}`) : problemWords(problem, t))
    } finally {
      setProgress(undefined)
    }
  }
  const add = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (!file) return
    if (file.size > limits.photoBytes) return setError(t('photos.tooLarge'))
    setProgress(0)
    const request = { params: { userId: details.id }, form: photoForm(file) }
    void run(() => upload('PATCH /api/user/:userId/image', request, setProgress))
  }
  const remove = (imageFileName: string) => run(() => call('PATCH /api/user/deleteImage', { body: { imageFileName } }))
  return { progress, error, setError, add, remove }
}

/** The first photos; order and descriptions are for the own profile. */
export function PhotosStep(props: ProfileStepProps) {
  const { t } = useTranslation(['accounts', 'entry'])
  const { details, onNext, onBack } = props
  const { progress, error, setError, add, remove } = usePhotos(props)
  const next = () => (details.photos.length === 0 ? setError(t('photos.missing')) : onNext())
  return (
    <StepFrame
      step="photos"
      title={t('photos.title')}
      lead={t('photos.lead')}
      onContinue={next}
      onSkip={onNext}
      busy={progress !== undefined}
      {...{ onBack, error }}
    >
      <ul className="grid grid-cols-3 gap-3">
        {details.photos.map((photo) => (
          <OwnPhotoTile key={photo.fileName} photo={photo} onRemove={() => remove(photo.fileName)} />
        ))}
        {details.photos.length < limits.photos && <AddTile onAdd={add} />}
      </ul>
      {progress !== undefined && (
        <Progress value={Math.round(progress * 100)} label={t('photos.uploading')} className="mt-4" />
      )}
    </StepFrame>
  )
}

function OwnPhotoTile({ photo, onRemove }: { photo: OwnPhoto; onRemove: () => void }) {
  const { t } = useTranslation(['accounts', 'entry'])
  return (
    <li className="relative aspect-3/4 overflow-hidden rounded-m">
      <Photograph photo={photo} sizes="140px" />
      <button
        type="button"
        aria-label={t('photos.remove')}
        onClick={onRemove}
        className="absolute end-1 bottom-1 grid size-11 place-items-center rounded-full bg-surface text-ink shadow-one"
      >
        <Trash2 aria-hidden="true" className="size-4.5" />
      </button>
    </li>
  )
}

function AddTile({ onAdd }: { onAdd: (event: ChangeEvent<HTMLInputElement>) => void }) {
  const { t } = useTranslation(['accounts', 'entry'])
  return (
    <li>
      <label className="grid aspect-3/4 place-content-center justify-items-center gap-2 rounded-m border-[1.5px] border-dashed border-ink-3 p-2 text-center text-s text-ink-2 transition hover:border-accent hover:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-accent">
        <ImagePlus aria-hidden="true" />
        {t('photos.add')}
        <input type="file" accept="image/*" className="sr-only" onChange={onAdd} />
      </label>
    </li>
  )
}
