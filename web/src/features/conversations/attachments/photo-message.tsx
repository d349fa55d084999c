import { EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { whenPersonChanges } from '../../../platform/session.ts'
import { BlurCanvas } from '../../../ui/blur-canvas.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Lightbox, prepareLightbox } from '../../../ui/lightbox/lightbox.tsx'
import type { PhotoAttachment } from './attachments.api.ts'
import { photoBox } from './photo-box.ts'

// Rows come and go while one scrolls: what was once looked at stays open.
const unveiled = new Set<string>()
whenPersonChanges(() => unveiled.clear())

interface PhotoMessageProps {
  photo: PhotoAttachment
  mine: boolean
  /** Who it is from, when it is not mine. */
  name: string
  /** Its address may have expired: fetch the message anew. */
  onExpired?: (() => void) | undefined
  /** Corners, for instance. */
  className?: string
}

/** The photo of a message. Its place is as large before it is there; one of someone unmatched waits for a tap. */
export function PhotoMessage({ photo, mine, name, onExpired, className }: PhotoMessageProps) {
  const { t } = useTranslation('attachments')
  const [veiled, setVeiled] = useState(photo.veiled && !unveiled.has(photo.id))
  const [large, setLarge] = useState(false)
  const alt = mine ? t('yourPhoto') : t('photoFrom', { name })
  const open = () => {
    unveiled.add(photo.id)
    if (veiled) setVeiled(false)
    else setLarge(true)
  }
  return (
    <>
      <button
        type="button"
        aria-label={veiled ? t('reveal', { name }) : t('enlarge', { what: alt })}
        onPointerEnter={prepareLightbox}
        onFocus={prepareLightbox}
        onClick={open}
        style={photoBox(photo)}
        className={classNames(
          'group relative block max-w-full flex-none overflow-hidden rounded-l bg-sunken',
          className,
        )}
      >
        <BlurCanvas hash={photo.blurhash} className="absolute inset-0 size-full" />
        {veiled ? <Veil /> : <Picture {...{ photo, alt, onExpired }} />}
      </button>
      {large && (
        <Lightbox
          label={alt}
          photos={[{ ...photo, alt }]}
          index={0}
          onClose={() => setLarge(false)}
          onExpired={onExpired}
        />
      )}
    </>
  )
}

function Veil() {
  const { t } = useTranslation('attachments')
  return (
    <span className="absolute inset-0 grid place-items-center p-2">
      <span className="flex items-center gap-2 rounded-full bg-[rgb(20_12_8/.62)] px-4 py-2.5 text-s font-[620] text-white transition group-hover:bg-[rgb(20_12_8/.74)]">
        <EyeOff aria-hidden="true" className="size-4.5" />
        {t('tapToSee')}
      </span>
    </span>
  )
}

function Picture({
  photo,
  alt,
  onExpired,
}: {
  photo: PhotoAttachment
  alt: string
  onExpired?: (() => void) | undefined
}) {
  const { t } = useTranslation('attachments')
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const [url, setUrl] = useState(photo.url)
  // Every list brings a new address: what is there needs none, what could not be loaded tries it.
  if (state === 'failed' && url !== photo.url) {
    setUrl(photo.url)
    setState('loading')
  }
  if (state === 'failed')
    return (
      <span className="absolute inset-x-2 bottom-2 rounded-s bg-surface/90 p-2 text-s text-ink">{t('notLoaded')}</span>
    )
  return (
    <img
      src={`${url}&w=640`}
      srcSet={`${url}&w=320 320w, ${url}&w=640 640w`}
      sizes={`${photoBox(photo).width}px`}
      alt={alt}
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => setState('loaded')}
      onError={() => {
        setState('failed')
        onExpired?.()
      }}
      className={classNames(
        'relative size-full object-cover transition-opacity duration-(--calm)',
        state === 'loaded' ? 'opacity-100' : 'opacity-0',
      )}
    />
  )
}
