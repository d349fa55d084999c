import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../../ui/class-names.ts'
import { Lightbox } from '../../../ui/lightbox/lightbox.tsx'
import type { PhotoAttachment } from './attachments.api.ts'
import { photoBox } from './photo-box.ts'
import { VeiledPhoto } from './veiled-photo.tsx'

interface PhotoMessageProps {
  photo: PhotoAttachment
  mine: boolean
  name: string
  /** Called when the photo fails to load, usually because its URL has expired. Refetch the message. */
  onExpired?: (() => void) | undefined
  className?: string
}

export function PhotoMessage({ photo, mine, name, onExpired, className }: PhotoMessageProps) {
  const { t } = useTranslation('attachments')
  const [large, setLarge] = useState(false)
  const alt = mine ? t('yourPhoto') : t('photoFrom', { name })
  const box = photoBox(photo)
  return (
    <>
      <VeiledPhoto
        {...{ photo, alt, onExpired }}
        reveal={t('reveal', { name })}
        width={box.width}
        onLarge={() => setLarge(true)}
        style={box}
        className={classNames('rounded-l', className)}
      />
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
