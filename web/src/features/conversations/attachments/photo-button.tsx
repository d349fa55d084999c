import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type PhotoAttach, photoTypes } from './photo-attach.ts'

interface PhotoButtonProps {
  attach: PhotoAttach
  disabled?: boolean
}

/** Picks a photo by the file dialog. */
export function PhotoButton({ attach, disabled = false }: PhotoButtonProps) {
  const { t } = useTranslation('attachments')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton
        label={t('addPhoto')}
        icon={<ImagePlus aria-hidden="true" />}
        disabled={disabled || attach.busy}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        accept={photoTypes}
        hidden
        aria-label={t('addPhoto')}
        onChange={({ target }) => {
          attach.pick([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}
