import { CircleAlert, ImageDown, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { PhotoAttach, PickedPhoto } from './photo-attach.ts'

export function PhotoPreview({ attach }: { attach: PhotoAttach }) {
  const { t } = useTranslation('attachments')
  const { photos, leftOut } = attach
  if (photos.length === 0 && leftOut.length === 0) return null
  return (
    <div className="animate-arrive border-t border-line px-3 pt-2.5">
      {photos.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <ul aria-label={t('toSend')} className="flex min-w-0 gap-1.5">
            {photos.map((photo, index) => (
              <PickedTile key={photo.id} {...{ photo, attach }} n={index + 1} />
            ))}
          </ul>
          <PreviewState attach={attach} />
        </div>
      )}
      {leftOut.length > 0 && <LeftOutNote attach={attach} />}
    </div>
  )
}

interface PickedTileProps {
  photo: PickedPhoto
  attach: PhotoAttach
  n: number
}

function PickedTile({ photo, attach: { photos, remove }, n }: PickedTileProps) {
  const { t } = useTranslation('attachments')
  const total = photos.length
  const { preview, attachment, problem } = photo
  const takeOut = ({ currentTarget }: MouseEvent) => {
    const tile = currentTarget.closest('li')
    const next = tile?.nextElementSibling ?? tile?.previousElementSibling
    next?.querySelector('button')?.focus()
    remove(photo)
  }
  return (
    <li className="relative min-w-0">
      {preview ? (
        <img
          src={preview}
          alt={total > 1 ? t('place', { n, total }) : t('preview')}
          className={classNames(
            'aspect-square w-16 rounded-m bg-sunken object-cover transition-opacity duration-(--calm)',
            !attachment && 'opacity-60',
            problem && 'outline-2 -outline-offset-2 outline-bad',
          )}
        />
      ) : (
        <span className="grid aspect-square w-16 place-content-center rounded-m bg-sunken">
          <Spinner />
        </span>
      )}
      <button
        type="button"
        aria-label={total > 1 ? t('removePhotoOf', { n, total }) : t('removePhoto')}
        onClick={takeOut}
        className="group absolute inset-0 rounded-m"
      >
        <span className="absolute end-1 top-1 grid size-6 place-items-center rounded-full bg-[rgb(20_12_8/.62)] text-white transition group-hover:bg-[rgb(20_12_8/.82)]">
          <X aria-hidden="true" className="size-4!" />
        </span>
      </button>
    </li>
  )
}

function PreviewState({ attach: { photos, ready, busy, retry } }: { attach: PhotoAttach }) {
  const { t, i18n } = useTranslation('attachments')
  const problems = new Set(photos.flatMap(({ problem }) => problem ?? []))
  if (problems.size > 0 && !busy)
    return (
      <div role="alert" className="min-w-36 flex-1 py-2 text-s leading-snug text-bad">
        <CircleAlert aria-hidden="true" className="me-1.5 inline size-4 align-[-3px]" />
        {[...problems].map((problem) => t(`problem.${problem}`)).join(' ')}
        <button
          type="button"
          onClick={retry}
          className="relative ms-2 font-semibold underline underline-offset-2 after:absolute after:-inset-x-2 after:-inset-y-3"
        >
          {t('retry')}
        </button>
      </div>
    )
  const isReady = ready.length === photos.length
  const done = photos.reduce((sum, { progress }) => sum + progress, 0) / photos.length
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(done)
  const isOpening = photos.some(({ preview }) => !preview) && done === 0
  const underWay = isOpening ? t('opening') : done < 1 ? t('uploading', { share }) : t('developing')
  const words = isReady ? t('ready') : underWay
  return (
    <div className="grid min-w-36 flex-1 gap-2 text-s">
      <p aria-live="polite" className="truncate text-ink-2">
        {isReady ? words : <span aria-hidden="true">{words}</span>}
      </p>
      {!isReady && <Progress value={done} max={1} label={t('uploadProgress')} />}
    </div>
  )
}

function LeftOutNote({ attach: { leftOut, dismiss } }: { attach: PhotoAttach }) {
  const { t } = useTranslation(['attachments', 'ui'])
  return (
    <div className="mt-1 flex items-start gap-2">
      <ul role="alert" className="grid min-w-0 flex-1 gap-1 py-2.5 text-s leading-snug text-bad">
        {leftOut.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <li key={index} className="wrap-anywhere">
            <CircleAlert aria-hidden="true" className="me-1.5 inline size-4 align-[-3px]" />
            {'file' in one && <bdi className="font-semibold">{one.file}: </bdi>}
            {t(`problem.${one.problem}`)}
          </li>
        ))}
      </ul>
      <IconButton label={t('ui:close')} icon={<X aria-hidden="true" />} onClick={dismiss} />
    </div>
  )
}

export function DropHint({ attach }: { attach: PhotoAttach }) {
  const { t } = useTranslation('attachments')
  if (!attach.over) return null
  return (
    <div className="pointer-events-none absolute inset-2 z-20 grid animate-fade place-content-center justify-items-center gap-3 rounded-l border-2 border-dashed border-accent bg-surface/90 text-accent">
      <ImageDown aria-hidden="true" className="size-8" />
      <p className="font-[620]">{t('drop')}</p>
    </div>
  )
}
