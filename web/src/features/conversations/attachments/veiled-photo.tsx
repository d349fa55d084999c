import { EyeOff } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { whenPersonChanges } from '../../../platform/session.ts'
import { classNames } from '../../../ui/class-names.ts'
import { prepareLightbox } from '../../../ui/lightbox/lightbox.tsx'
import { BlurCanvas } from '../../../ui/photo/blur-canvas.tsx'
import { useLastingAddress } from '../../../ui/photo/use-lasting-address.ts'
import type { PhotoAttachment } from './attachments.api.ts'

// Rows unmount during scrolling, so the ids of revealed photos are stored outside the component.
const unveiled = new Set<string>()
whenPersonChanges(() => unveiled.clear())

export const isVeiled = ({ veiled, id }: PhotoAttachment): boolean => veiled && !unveiled.has(id)

interface VeiledPhotoProps {
  photo: PhotoAttachment
  alt: string
  reveal: string
  width: number
  small?: boolean
  onLarge: () => void
  /** Called when the photo fails to load, usually because its URL has expired. Refetch the message. */
  onExpired?: (() => void) | undefined
  style?: CSSProperties
  className?: string
}

export function VeiledPhoto({ photo, alt, reveal, width, small, onLarge, onExpired, ...look }: VeiledPhotoProps) {
  const { t } = useTranslation('attachments')
  const [veiled, setVeiled] = useState(isVeiled(photo))
  const open = () => {
    unveiled.add(photo.id)
    if (veiled) setVeiled(false)
    else onLarge()
  }
  return (
    <button
      type="button"
      aria-label={veiled ? reveal : t('enlarge', { what: alt })}
      onPointerEnter={prepareLightbox}
      onFocus={prepareLightbox}
      onClick={open}
      style={look.style}
      className={classNames('group relative block max-w-full flex-none overflow-hidden bg-sunken', look.className)}
    >
      <BlurCanvas hash={photo.blurhash} className="absolute inset-0 size-full" />
      {veiled ? <Veil small={small} /> : <Picture {...{ photo, alt, width, onExpired }} />}
    </button>
  )
}

function Veil({ small = false }: { small?: boolean | undefined }) {
  const { t } = useTranslation('attachments')
  return (
    <span className="absolute inset-0 grid place-items-center p-2">
      <span
        className={classNames(
          'flex items-center gap-2 rounded-full bg-[rgb(20_12_8/.62)] text-s font-[620] text-white transition group-hover:bg-[rgb(20_12_8/.74)]',
          small ? 'p-2.5' : 'px-4 py-2.5',
        )}
      >
        <EyeOff aria-hidden="true" className="size-4.5" />
        {!small && t('tapToSee')}
      </span>
    </span>
  )
}

function Picture({ photo, alt, width, onExpired }: Pick<VeiledPhotoProps, 'photo' | 'alt' | 'width' | 'onExpired'>) {
  const { t } = useTranslation('attachments')
  const { url, state, onLoad, onError } = useLastingAddress(photo.url, onExpired)
  return (
    <>
      <img
        src={`${url}&w=640`}
        srcSet={`${url}&w=320 320w, ${url}&w=640 640w`}
        sizes={`${width}px`}
        alt={alt}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={onLoad}
        onError={onError}
        className={classNames(
          'relative size-full object-cover transition-opacity duration-(--calm)',
          state === 'loaded' ? 'opacity-100' : 'opacity-0',
        )}
      />
      {state === 'failed' && (
        <span className="absolute inset-x-2 bottom-2 rounded-s bg-surface/90 p-2 text-s text-ink">
          {t('notLoaded')}
        </span>
      )}
    </>
  )
}
