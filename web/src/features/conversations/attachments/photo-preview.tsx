import { CircleAlert, ImageDown, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Progress } from '../../../ui/progress.tsx'
import type { PhotoAttach } from './photo-attach.ts'

/** The photo that goes with the message, above the text box; nothing while there is none. */
export function PhotoPreview({ attach }: { attach: PhotoAttach }) {
  const { t } = useTranslation('attachments')
  const { picked, problem, remove } = attach
  if (!picked && !problem) return null
  return (
    <div className="flex animate-arrive items-center gap-3 border-t border-line px-3 pt-2.5">
      {picked && (
        <img
          src={picked.preview}
          alt={t('preview')}
          className={classNames(
            'size-16 flex-none rounded-m bg-sunken object-cover transition-opacity duration-(--calm)',
            !picked.attachment && 'opacity-60',
          )}
        />
      )}
      <PreviewState attach={attach} />
      <IconButton label={t('removePhoto')} icon={<X aria-hidden="true" />} onClick={remove} />
    </div>
  )
}

function PreviewState({ attach: { picked, problem, retry } }: { attach: PhotoAttach }) {
  const { t, i18n } = useTranslation('attachments')
  if (problem)
    return (
      <div role="alert" className="min-w-0 flex-1 py-2 text-s leading-snug text-bad">
        <CircleAlert aria-hidden="true" className="me-1.5 inline size-4 align-[-3px]" />
        {t(`problem.${problem}`)}
        {picked && !picked.attachment && problem !== 'onlyOne' && (
          <button
            type="button"
            onClick={retry}
            className="relative ms-2 font-semibold underline underline-offset-2 after:absolute after:-inset-x-2 after:-inset-y-3"
          >
            {t('retry')}
          </button>
        )}
      </div>
    )
  if (!picked) return null
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(picked.progress)
  const words = picked.attachment ? t('ready') : picked.progress < 1 ? t('uploading', { share }) : t('developing')
  return (
    <div className="grid min-w-0 flex-1 gap-2 text-s">
      <p aria-live="polite" className="truncate text-ink-2">
        {picked.attachment ? words : <span aria-hidden="true">{words}</span>}
      </p>
      {!picked.attachment && <Progress value={picked.progress} max={1} label={t('uploadingPhoto')} />}
    </div>
  )
}

/** Says that a photo may be dropped here; covers the nearest positioned element. */
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
