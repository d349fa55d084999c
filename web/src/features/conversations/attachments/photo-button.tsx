import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredPictures } from '../../../platform/picture/picture-kind.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { PhotoAttach } from './photo-attach.ts'

interface PhotoButtonProps {
  attach: PhotoAttach
  disabled?: boolean
}

export function PhotoButton({ attach, disabled = false }: PhotoButtonProps) {
  const { t } = useTranslation('attachments')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t('addPhotos')}
        icon={<ImagePlus aria-hidden="true" />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        accept={offeredPictures()}
        multiple
        hidden
        aria-label={t('addPhotos')}
        onChange={({ target }) => {
          void attach.pick([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}
