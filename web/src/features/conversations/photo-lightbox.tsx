import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BlurCanvas } from '../../ui/blur-canvas.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { PhotoAttachment } from './attachments.api.ts'

interface PhotoLightboxProps {
  photo: PhotoAttachment
  alt: string
  onClose: () => void
  onExpired?: (() => void) | undefined
}

/** A photo as large as the window; `photo-message.tsx` loads it when one is first opened. */
export default function PhotoLightbox({ photo, alt, onClose, onExpired }: PhotoLightboxProps) {
  const { t } = useTranslation('attachments')
  const before = useRef(document.activeElement)
  const [loaded, setLoaded] = useState(false)
  const ratio = photo.width / photo.height
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 data-[state=open]:animate-fade bg-[rgb(20_12_8/.92)]" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={() => before.current instanceof HTMLElement && before.current.focus()}
          className="fixed inset-0 z-40 grid data-[state=open]:animate-fade place-items-center p-4 focus:outline-none sm:p-12"
          onClick={({ target, currentTarget }) => target === currentTarget && onClose()}
        >
          <Radix.Title className="sr-only">{alt}</Radix.Title>
          <span
            className="relative block max-h-full max-w-full overflow-hidden rounded-m"
            style={{ aspectRatio: ratio, width: `min(100%, ${photo.width}px, calc((100dvh - 96px) * ${ratio}))` }}
          >
            <BlurCanvas hash={photo.blurhash} className="absolute inset-0 size-full" />
            <img
              src={photo.url}
              alt={alt}
              onLoad={() => setLoaded(true)}
              onError={onExpired}
              className={classNames(
                'relative size-full object-contain transition-opacity duration-(--calm)',
                !loaded && 'opacity-0',
              )}
            />
          </span>
          <Radix.Close asChild>
            <IconButton
              label={t('ui:close')}
              icon={<X aria-hidden="true" />}
              className="absolute! end-3 top-[calc(12px+env(safe-area-inset-top))] bg-[rgb(20_12_8/.5)] text-white hover:bg-[rgb(20_12_8/.8)] hover:text-white"
            />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
